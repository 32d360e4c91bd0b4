import { describe, expect, it } from 'vitest'
import { findProtectedStep, protectsContent } from './path-protected.ts'

const find = (path: string, access: 'read' | 'write'): string | undefined =>
  findProtectedStep(path.split('/'), access)

describe('findProtectedStep', () => {
  it.each([
    '.git/config',
    'a/.git',
    '.GIT/config',
    '.Git',
    '.g\u0131t',
    '.G\u0130T',
    '.gi\u0301t',
    '\uFF0Egit',
    '.\uFF47\uFF49\uFF54',
    '\u2024git',
    '.g\u200Cit',
    '.git\u200D',
    '\uFEFF.git',
    '.g\u202Eit',
    '.g\u00ADit',
    '.g\u2060it',
    '.gi\uFE0Ft',
    '.g\u{E0061}it',
    '.git.',
    '.git ',
    '.git. . ',
    '.git::$INDEX_ALLOCATION',
    '.git:x',
    'git~1',
    'GIT~1',
    'GIT~2/config',
    '.\u017F\u017Fh/id_x',
    '.ssh/known_hosts',
    'SSH~1',
    '.npmrc',
    'NPMRC~1',
    '.env',
    '.ENV',
    '.env.local',
    '.env.production',
    '.env.example.local',
    '.env~',
    '.env-prod',
    '.env_backup',
    '.envrc',
    '.aws/credentials',
    '.docker/config.json',
    '.\u212Aube/config',
    '.netrc',
    '_netrc',
    '.pypirc',
    '.pgpass',
    'keys/id_rsa',
    'id_ed25519',
    'ID_RSA',
    'id_rsa.bak',
    'ID_ED2~1',
    '.config/gh/hosts.yml',
    '.Config/GH/hosts.yml',
    '.cargo/credentials.toml',
    '.bashrc',
    '.zshenv',
    '.profile',
    'BASHRC~1',
    '.claude/.credentials.json',
    '.toolcrib/keys/x',
    '.config/pip/pip.conf',
    '.sh_history',
    '.git\\config',
    'a\\.ssh\\id_x',
    '.config\\gh/hosts.yml',
  ])('finds %j for reading and for writing', (path) => {
    expect(find(path, 'read')).toBeDefined()
    expect(find(path, 'write')).toBeDefined()
  })

  it.each([
    '.bash_logout',
    '.vimrc',
    '.vscode/tasks.json',
    '.idea/x',
    '.husky/pre-commit',
    'node_modules/.bin/tsc',
    'node_modules/.BIN/tsc',
    '.gitmodules',
    '.mcp.json',
    '.config/autostart/x.desktop',
    'VSCODE~1',
  ])('lets %j be read, and not written', (path) => {
    expect(find(path, 'read')).toBeUndefined()
    expect(find(path, 'write')).toBeDefined()
  })

  it.each([
    '.environment.md',
    '.env.example',
    '.env.sample',
    'env',
    '.environ',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yml',
    '.toolcrib-notes.md',
    '.cache/x',
    '.config/pipewire/x',
    'git',
    'gitter',
    '.gitkeep',
    'my.git',
    'a.git.txt',
    'ssh',
    'ssh.md',
    'sshd~',
    'id_rsa.pub',
    'id_rsaX',
    'identity',
    'bin/tool',
    'npmrc',
    '.config/app.json',
    'gh/hosts.yml',
    '.cargo/registry',
    'na\u00EFve-\u0444\u0430\u0439\u043B-\u6587.txt',
    '...',
    '. x',
    'aws.txt',
    'backup~1',
    'draft~',
  ])('has nothing against %j', (path) => {
    expect(find(path, 'read')).toBeUndefined()
    expect(find(path, 'write')).toBeUndefined()
  })
})

describe('protectsContent', () => {
  it('knows the folders whose name decides about what is in them', () => {
    expect(protectsContent('.config')).toBe(true)
    expect(protectsContent('.CONFIG.')).toBe(true)
    expect(protectsContent('config')).toBe(false)
  })
})
