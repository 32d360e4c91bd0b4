export { openSecretVault } from './secret-vault.ts'
export type {
  SecretBinding,
  SecretDefinition,
  SecretDestination,
  SecretFiller,
  SecretVault,
} from './secret-vault.ts'
