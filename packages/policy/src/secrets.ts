export { openSecretVault } from './secret-vault.ts'
export type {
  SecretBinding,
  SecretDefinition,
  SecretDestination,
  SecretFiller,
  SecretSource,
  SecretVault,
} from './secret-vault.ts'
