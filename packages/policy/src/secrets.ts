export { openSecretVault } from './secrets/secret-vault.ts'
export type {
  SecretBinding,
  SecretDefinition,
  SecretDestination,
  SecretFiller,
  SecretSource,
  SecretVault,
} from './secrets/secret-vault.ts'
