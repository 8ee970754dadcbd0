import { Command } from 'commander';
import { createAccount, findAccountByEmail, listAccounts, resetFactors } from '@/lib/domain/accounts';
import { readOperatorSettings } from '@/lib/infra/env';
import { newWebhookSecret } from '@/lib/infra/ids';
import { ExpectedError } from '../service/expected-error';
import { printStorageAudit } from './audit-storage';
import { addBackupCommands } from './backup-commands';
import { copyFiles } from './copy-files';
import { addExamples } from './examples';
import { addKeyCommands } from './key-commands';
import { listen } from './listen';
import { addLinkCommands } from './link-commands';
import { addNodeCommands } from './node-commands';
import { actingFor, withContext } from './open-context';
import { printQueues } from './print-queues';
import { addQuotaCommands } from './quota-commands';
import { addTeamCommands } from './team-commands';
import { addRtcCommands } from './rtc-commands';
import { readPassword, type PasswordOptions } from './read-password';
import { readUrl } from '@/lib/core/read-url';

const print = (...cells: string[]) => void process.stdout.write(`${cells.join('\t')}\n`);
const formatTime = (ms: number | null) => (ms === null ? 'never' : new Date(ms).toISOString());

/** The operator's commands. Results go to standard output, one per line, with cells separated by tabs. */
export function createProgram(): Command {
  const program = new Command('headwater').description(
    'Manage the accounts, teams, API keys, files and nodes of this Headwater service',
  );
  addAccountCommands(program);
  addLinkCommands(program, print);
  addTeamCommands(program, print);
  addKeyCommands(program, print);
  addListenCommand(program);
  addStorageCommands(program);
  addQueueCommand(program);
  addNodeCommands(program, print);
  addQuotaCommands(program, print);
  addRtcCommands(program, print);
  addBackupCommands(program, print);
  addExamples(program);
  return program;
}

function addAccountCommands(program: Command): void {
  program
    .command('account:create')
    .description('create an account and print its id')
    .requiredOption('--email <address>')
    .option('--password <password>', 'the password (visible to other users in the process list)')
    .option(
      '--password-stdin',
      'read the password from standard input; without either option, you are prompted',
    )
    .action(async ({ email, ...passwordOptions }: { email: string } & PasswordOptions) => {
      const password = await readPassword(passwordOptions);
      await withContext(async (ctx) => print((await createAccount(ctx, { email, password })).id));
    });
  program
    .command('account:list')
    .description('print id, email address, creation time and state of every account')
    .action(() =>
      withContext(async (ctx) => {
        for (const { id, email, createdAt, suspended } of await listAccounts(ctx)) {
          print(id, email, formatTime(createdAt.getTime()), suspended ? 'suspended' : 'active');
        }
      }),
    );
  program
    .command('account:reset-factors')
    .description(
      'remove the authenticator app, passkeys and recovery codes of an account, and log its browsers out',
    )
    .requiredOption('--email <address>')
    .action(({ email }: { email: string }) =>
      withContext(async (ctx) => resetFactors(actingFor(ctx, (await findAccountByEmail(ctx, email)).id))),
    );
}

interface ListenOptions {
  forward: string;
  key: string;
  url?: string;
  secret?: string;
}

function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forward the events of a team to a server on your machine, signed like deliveries')
    .requiredOption('--forward <url>', 'URL to post them to, for example http://localhost:4000/hook')
    .requiredOption('--key <key>', 'API key of the team')
    .option('--url <url>', 'URL of the service (default: BASE_URL)')
    .option('--secret <secret>', 'signing secret (default: generated)')
    .action(async ({ forward, key, url, secret = newWebhookSecret() }: ListenOptions) => {
      if (!readUrl(forward) || !/^https?:/.test(forward))
        throw new ExpectedError('--forward: expected an http:// or https:// URL');
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
      const baseUrl = (url ?? readOperatorSettings().baseUrl).replace(/\/+$/, '');
      await listen({ forward, key, baseUrl, secret, signal: stopping.signal, log: print });
    });
}

function addStorageCommands(program: Command): void {
  program
    .command('storage:audit')
    .description('compare rows and files; exit with 1 if a file is missing or has no row')
    .option('--json', 'print the result as one JSON object', false)
    .action(async ({ json }: { json: boolean }) => {
      if (!(await printStorageAudit({ json, print }))) process.exitCode = 1;
    });
  program
    .command('storage:copy')
    .description('copy assets and recordings from the data folder to the bucket in S3_BUCKET, or back')
    .requiredOption('--to <storage>', 's3 or local')
    .option('--remove-source', 'delete source files whose copy has the same bytes', false)
    .action(async ({ to, removeSource }: { to: string; removeSource: boolean }) => {
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
      const log = (line: string) => void process.stderr.write(`${line}\n`);
      print(await copyFiles({ to, removeSource, signal: stopping.signal, log }));
    });
}

function addQueueCommand(program: Command): void {
  program
    .command('queues')
    .description('print the job counts of each queue; completed counts the last hour')
    .option('--json', 'print the result as one JSON array', false)
    .action(({ json }: { json: boolean }) => printQueues({ json, print }));
}
