/** Folders and files that usually hold secrets, as files do that start shells: neither read nor changed. */
const secretNames = new Set(
  `.git .ssh .gnupg .aws .azure .docker .kube .netrc _netrc .npmrc .yarnrc .yarnrc.yml .pypirc .pgpass .my.cnf .mylogin.cnf
  .git-credentials .gitconfig .env .envrc .htpasswd .vault-token .terraform.d .terraformrc .boto .s3cfg .password-store
  .dockercfg .dockerconfigjson .subversion .hg .svn .jj .bzr .rhosts .bash_history .zsh_history .python_history
  .node_repl_history .psql_history .mysql_history .sqlite_history .bashrc .bash_profile .bash_login .bash_aliases .profile
  .zshrc .zshenv .zprofile .zlogin .kshrc .cshrc .tcshrc .login .sh_history .ash_history .rediscli_history
  .wgetrc .curlrc .msmtprc .fetchmailrc .smbcredentials .sentryclirc .credentials.json .claude.json .toolcrib .kaggle .oci
  .fly .cloudflared .pki .keystore .android .electrum .bitcoin .ethereum`.split(/\s+/u),
)

/** Folders and files that steer programs: they may be read, and not changed. */
const steeringNames = new Set(
  `.bash_logout .zlogout .logout .inputrc .xprofile .xinitrc .xsession .xsessionrc .vimrc .gvimrc .exrc .nvimrc .emacs
  .emacs.d .screenrc .tmux.conf .gdbinit .lldbinit .pythonrc .pythonrc.py .pythonstartup .irbrc .pryrc .rprofile .hgrc
  .gitmodules .husky .vscode .idea .devcontainer .ripgreprc .mcp.json .claude .cursor .bin .pnpmfile.cjs
  .yarn .pdbrc .perltidyrc .ackrc .mailcap .forward .procmailrc .editrc .sqliterc .psqlrc`.split(
    /\s+/u,
  ),
)

/** Pairs of steps of which only both together are special. */
const secretPairs = new Set([
  '.config/gh',
  '.config/gcloud',
  '.config/git',
  '.config/op',
  '.config/sops',
  '.config/hub',
  '.config/rclone',
  '.config/doctl',
  '.config/heroku',
  '.config/containers',
  '.config/pip',
  '.pip/pip.conf',
  '.cache/huggingface',
  '.config/configstore',
  '.cargo/credentials',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.bundle/config',
  '.m2/settings.xml',
  '.m2/settings-security.xml',
  '.gradle/gradle.properties',
  '.composer/auth.json',
  '.nuget/nuget.config',
])
const steeringPairs = new Set([
  '.config/autostart',
  '.config/systemd',
  '.config/fish',
  '.config/nvim',
  '.config/zsh',
  '.config/environment.d',
  '.cargo/config',
  '.cargo/config.toml',
  '.cargo/bin',
  '.gradle/init.gradle',
  '.gradle/init.d',
  '.local/bin',
])
const pairHeads = new Set([...secretPairs, ...steeringPairs].map((pair) => pair.split('/', 1)[0]))

const environmentExamples = new Set(['example', 'sample', 'template', 'dist', 'schema', 'defaults'])
const privateKey = /^id_(?:rsa|dsa|ecdsa|ecdsa_sk|ed25519|ed25519_sk|xmss)(?:[._-](?!pub$).*)?$/u

/** What NTFS may call a protected name for short: six characters of it without dots, a tilde and a number. */
const secretShortNames = shortNames([...secretNames, 'id_ed25519', 'id_ecdsa_sk'])
const steeringShortNames = shortNames([...steeringNames])

/**
 * Finds the step, if any, that may not be used for this kind of access.
 *
 * @param above the name of the folder that the first step lies in; some names are special only together with it
 */
export function findProtectedStep(
  steps: readonly string[],
  access: 'read' | 'write',
  above = '',
): string | undefined {
  let before = protectsContent(above) ? foldName(above) : ''
  // Where a backslash separates folders, each part counts.
  const parts = steps.some((step) => step.includes('\\'))
    ? steps.flatMap((step) => step.split('\\'))
    : steps
  for (const step of parts) {
    // Plain ASCII that begins in no special way and holds no tilde can neither be nor fold to a protected name.
    if (before === '' && /^(?!id_)[a-z0-9-][ -}]*$/iu.test(step)) continue
    const name = foldName(step)
    const pair = `${before}/${name}`
    if (isSecret(name) || secretPairs.has(pair)) return step
    if (access === 'write' && (isSteering(name) || steeringPairs.has(pair))) return step
    before = pairHeads.has(name) ? name : ''
  }
  return undefined
}

/** Whether a folder of this name makes some of its content protected, so that renaming it would change what is. */
export function protectsContent(step: string): boolean {
  return pairHeads.has(foldName(step))
}

/**
 * The name as the most lenient file system may take it: without case, width, accents and characters that do not show,
 * without what Windows drops at the end, and without the name of a stream.
 */
function foldName(name: string): string {
  const [stem = ''] = name
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, '')
    .toLowerCase()
    .replaceAll('ı', 'i')
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .split(':', 1)
  return stem.replace(/[. ]+$/u, '')
}

function isSecret(name: string): boolean {
  if (secretNames.has(name) || privateKey.test(name)) return true
  if (/^\.env[.~_-]/u.test(name)) return !environmentExamples.has(name.slice(5))
  return secretShortNames.test(name)
}

function isSteering(name: string): boolean {
  return steeringNames.has(name) || steeringShortNames.test(name)
}

function shortNames(names: readonly string[]): RegExp {
  const stems = names.map((name) => name.replaceAll('.', '').slice(0, 6))
  return new RegExp(`^(?:${stems.join('|')})~[0-9]+(?:\\.|$)`, 'u')
}
