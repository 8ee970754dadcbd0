import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { variablesSchema } from '@/lib/infra/env-schema';

const settingNames = Object.keys(variablesSchema.shape).join('|');

/** Mechanisms that must exist once: their files, and patterns that match copies. */
const ideas: readonly {
  readonly idea: string;
  readonly allowedFiles: readonly string[];
  /** Files where the pattern is allowed. */
  readonly allowedPaths?: RegExp;
  readonly copyPattern: RegExp;
  /** Code that the pattern must match. */
  readonly exampleCopy: string;
}[] = [
  {
    idea: 'a context in a transaction is InTransaction',
    allowedFiles: ['lib/domain/context.ts'],
    copyPattern: /(?:Context|'db'>) & \{ (?:readonly )?db: Transaction \}/,
    exampleCopy: "type Tx = Omit<SystemContext, 'db'> & { readonly db: Transaction };",
  },
  {
    idea: 'what is missing is rejected with notFound()',
    allowedFiles: ['lib/core/errors.ts'],
    copyPattern: /AppError\('not_found'/,
    exampleCopy: "const missing = () => new AppError('not_found', 'not found');",
  },
  {
    idea: 'what is wrong with a field is an issue with the field and its message',
    allowedFiles: ['lib/core/errors.ts'],
    copyPattern:
      /(?:AppError\(\s*'\w+',|notFound\(|errorAnswer\(\s*\d+,)\s*(?:'[a-zA-Z][\w-]*(?:\.\w+)*|`(?:\w+\.)*(?:[a-zA-Z][\w-]*|\$\{\w+\})): /,
    exampleCopy: "throw new AppError('invalid', `name: must have at most ${limit} characters`);",
  },
  {
    idea: 'forms get the issue of a field, not the message that starts with its name',
    allowedFiles: ['lib/core/reasons/find-reasons.ts'],
    copyPattern: /\.startsWith\(`\$\{(?:field|name)\}:|\[a-zA-Z\]\+\)\[\^:/,
    exampleCopy: 'const message = messages.find((message) => message.startsWith(`${field}:`));',
  },
  {
    idea: 'forms are MutationForms',
    allowedFiles: [
      'components/ui/form/mutation-form.tsx',
      'components/ui/form/use-mutation-form.ts',
      // One value each, whose errors are notices or the dialog's.
      'components/ui/form/name-in-place.tsx',
      'components/ui/overlay/confirm-dialog.tsx',
      'components/assets/bulk-dialogs.tsx',
      // Sends any request of the API, and shows the response as it is.
      'components/docs/request/request-panel.tsx',
      // Pages of viewers load neither react-hook-form nor the client.
      'app/watch/password-form.tsx',
      'components/clips/viewer-clip.tsx',
    ],
    copyPattern: /<form\b|\buseForm[<(]/,
    exampleCopy: 'const { register } = useForm({ defaultValues });',
  },
  {
    idea: 'lengths of time have names in lib/core/units.ts',
    allowedFiles: ['lib/core/units.ts'],
    copyPattern:
      /\b(?:86_400|86_400_000|3_600_000|604_800|604_800_000)\b|const (?:minute|hour|day|week|year)_?(?:ms|seconds)\b/i,
    exampleCopy: 'const DAY_MS = 24 * 60 * 60 * 1_000;',
  },
  {
    idea: 'constant numbers of a file are in upper case',
    allowedFiles: [],
    copyPattern: /^(?:export )?const [a-z]\w* = -?\d[\d_.e]*(?:;| [*/+-] )/m,
    exampleCopy: 'const retryIntervalMs = 2_000;',
  },
  {
    idea: 'delays that grow are computed by backoffDelay',
    allowedFiles: ['lib/core/backoff.ts'],
    copyPattern:
      /(?:[dD]elay|[rR]etry|[wW]ait|first|base)\w*(?: = \w+)? \* (?:2|growth) \*\*|Math\.min\((?:2 \* \w*(?:[wW]ait|[dD]elay)|\w*(?:[wW]ait|[dD]elay)\w* \* 2)/,
    exampleCopy: 'const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** failures);',
  },
  {
    idea: 'texts are signed by Secrets',
    // Receivers of webhooks know the key; an operator's token is compared with its digest; SRT cookies are valid in
    // one process only, under a random key. TURN servers know the secret of the operator.
    allowedFiles: [
      'lib/infra/secrets.ts',
      'lib/domain/webhooks/sign-delivery.ts',
      'lib/infra/metrics/metrics-endpoint.ts',
      'media-worker/ingest/srt/cookies.ts',
      'media-worker/delivery/origin/webrtc/turn-login.ts',
    ],
    copyPattern: /\b(?:createHmac|timingSafeEqual)\(/,
    exampleCopy: "createHmac('sha256', key).update(text).digest();",
  },
  {
    idea: 'a text with its signature is a token of signedToken()',
    allowedFiles: [
      'lib/infra/signed-token.ts',
      'lib/infra/secrets.ts',
      // Bytes: a token in every playlist, a WebAuthn challenge.
      'lib/domain/access/playback-tokens.ts',
      'lib/domain/accounts/factors/challenges.ts',
      // Fixed widths, without a dot: a query parameter that begins with its origin, an id in a link of a mail.
      'media-worker/delivery/origin/live/watch-playlists.ts',
      'lib/domain/accounts/links.ts',
      // A header that signs a request.
      'lib/infra/node-signatures.ts',
      // Digests, which are compared by the database or are names.
      'lib/domain/accounts/factors/recovery-codes.ts',
      'lib/http/limits/limit-store.ts',
      'media-worker/delivery/uploads/upload-store.ts',
    ],
    copyPattern: /[sS]ecrets\.(?:sign|verify)\(/,
    exampleCopy: "`${text}.${secrets.sign(purpose, text).toString('base64url')}`",
  },
  {
    idea: 'work that several ask for runs once by SingleFlight',
    allowedFiles: ['lib/core/single-flight.ts'],
    copyPattern:
      /\.finally\(\(\) => (?:this\.)?#?(?:running|loading|asking|making|learning|holds|draws|finishing|pending|inFlight)\.delete\(\w*(?:key|id|name|slice|folder)/i,
    exampleCopy: 'const work = load(key).finally(() => this.#running.delete(key));',
  },
  {
    idea: 'class names are joined by cn(), on the pages of viewers by clsx()',
    allowedFiles: [
      'components/ui/class-names.ts',
      // The player draws the logo itself.
      'components/ui/mark.tsx',
    ],
    allowedPaths: /^(?:components\/player|app\/watch|app\/embed)\//,
    copyPattern: /from '(?:clsx|tailwind-merge|class-variance-authority)'/,
    exampleCopy: "import { clsx } from 'clsx';",
  },
  {
    idea: 'the environment is read by lib/infra/env.ts',
    allowedFiles: ['lib/infra/env.ts'],
    // Scripts pass their environment to child processes. Samples of the docs are other programs.
    allowedPaths: /^(?:scripts|components)\//,
    copyPattern: /\bprocess\.env\b/,
    exampleCopy: 'const { PORT } = process.env;',
  },
  {
    idea: 'scripts read settings by readOperatorSettings()',
    allowedFiles: [],
    allowedPaths: /^components\//,
    copyPattern: new RegExp(String.raw`\bprocess\.env(?:\.|\[')(?:${settingNames})\b`),
    exampleCopy: 'const folder = process.env.DATA_DIR;',
  },
  {
    idea: 'a setting is declared in the schema, and has its name in camel case',
    allowedFiles: [
      'lib/infra/env-schema.ts',
      // Names of lib/core.
      'lib/infra/settings/quota-settings.ts',
      'lib/infra/settings/capacity-settings.ts',
    ],
    copyPattern: new RegExp(
      String.raw`\binterface (?:Operator)?Settings\b|\b[a-z]\w*: \w+\.(?:${settingNames})\b`,
    ),
    exampleCopy: 'return { rtmpPort: operator.RTMP_PORT };',
  },
  {
    idea: 'child processes get the environment of the settings',
    allowedFiles: [],
    copyPattern: /\b\w+ToEnvironment\b|\[?(?:PORT|DATA_DIR|BASE_URL)\]?: (?:String\()?settings\./,
    exampleCopy: 'const mailToEnvironment = (mail) => ({ SMTP_URL: mail.smtpUrl });',
  },
  {
    idea: 'sessions are ended in one file, for the causes of lib/core/sessions/session-ends.ts',
    allowedFiles: ['lib/domain/sessions/end-session.ts'],
    copyPattern: /sessionMachine\.(?:before|after)\((?:'(?:clock|replaced)'|sessionEnds)/,
    exampleCopy: "data: { state: sessionMachine.after('replaced'), endedAt: now },",
  },
  {
    idea: 'old files are deleted by the lists of one file',
    allowedFiles: ['media-worker/maintenance/delete-old-files.ts'],
    allowedPaths: /^lib\/domain\//,
    copyPattern:
      /\b(?:deleteOrphan\w*|deleteBytes|deleteImportedUploads|deleteRecordings|evictRenditions|expireDvr)\(/,
    exampleCopy: 'const orphans = (await deleteOrphans(ctx)) + (await deleteOrphanedLogos(ctx));',
  },
  {
    idea: 'a translator is t, or t with the namespace of its texts',
    allowedFiles: [],
    copyPattern:
      /\bconst (?!t(?:[A-Z]\w*)? =)\w+ = (?:await )?(?:useTranslations|getTranslations)\([^()]*\);/,
    exampleCopy: "const unit = useTranslations('units');",
  },
  {
    idea: 'fields of an object literal are written without a spread',
    allowedFiles: [],
    // A spread of an object literal is the shorthand for attributes of the same names in JSX.
    copyPattern: /(?<!\{)\.\.\.\{ /,
    exampleCopy: 'open({\n  ...{ role, clock },\n  onEnd,\n});',
  },
];

const root = join(import.meta.dirname, '..');
const pathsIn = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path));
const readText = (path: string) => [path, readFileSync(join(root, path), 'utf8')] as const;
const texts = ['app', 'components', 'lib', 'media-worker', 'web', 'scripts']
  .flatMap(pathsIn)
  .filter((path) => !/\.test\.tsx?$|\/generated\/|\/testing\//.test(path))
  .map(readText);

test('files are read', () => expect(texts.length).toBeGreaterThan(1_000));

describe.each(ideas)('$idea', ({ allowedFiles, allowedPaths, copyPattern, exampleCopy }) => {
  test('has no copy in another file', () => {
    const copies = texts.filter(
      ([path, text]) => !allowedFiles.includes(path) && !allowedPaths?.test(path) && copyPattern.test(text),
    );
    expect(copies.map(([path]) => path)).toEqual([]);
  });

  test('a copy is detected', () => expect(copyPattern.test(exampleCopy)).toBe(true));
});

test('end-to-end tests start no process synchronously, because that breaks the connections of their worker', () => {
  const blocking = pathsIn('e2e')
    .map(readText)
    .filter(([, text]) => /\b(?:execFile|spawn|exec)Sync\b/.test(text));
  expect(blocking.map(([path]) => path)).toEqual([]);
});
