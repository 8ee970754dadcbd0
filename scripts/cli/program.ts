import { Command } from 'commander';
import { keyScopes, type KeyScope } from '@/lib/core/access/key-policy';
import { createAccount, findAccountByEmail, listAccounts, resetFactors } from '@/lib/accounts';
import { createApiKey, deleteApiKey, listApiKeys } from '@/lib/api-keys';
import type { SystemContext } from '@/lib/context';
import { AppError } from '@/lib/core/errors';
import { readOperatorSettings } from '@/lib/infra/env';
import { newWebhookSecret } from '@/lib/infra/ids';
import { ExpectedError } from '../service/run-to-end';
import { printStorageAudit } from './audit-storage';
import { addBackupCommands } from './backup-commands';
import { copyFiles } from './copy-files';
import { listen } from './listen';
import { addLinkCommands } from './link-commands';
import { addNodeCommands } from './node-commands';
import { actingFor, withContext } from './open-context';
import { printQueues } from './print-queues';
import { addQuotaCommands } from './quota-commands';
import { readPassword, type PasswordOptions } from './read-password';
import { readUrl } from '@/lib/core/read-url';

const print = (...cells: string[]) => void process.stdout.write(`${cells.join('\t')}\n`);
const time = (ms: number | null) => (ms === null ? 'never' : new Date(ms).toISOString());

/** The operator's commands. Results go to standard output, one per line, with cells separated by tabs. */
export function createProgram(): Command {
  const program = new Command('headwater').description(
    'Manage the accounts, API keys, files and nodes of this Headwater service',
  );
  addAccountCommands(program);
  addLinkCommands(program, print);
  addKeyCommands(program);
  addListenCommand(program);
  addStorageCommands(program);
  addQueueCommand(program);
  addNodeCommands(program, print);
  addQuotaCommands(program, print);
  addBackupCommands(program, print);
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
    .action(async ({ email, ...given }: { email: string } & PasswordOptions) => {
      const password = await readPassword(given);
      await withContext(async (ctx) => print((await createAccount(ctx, { email, password })).id));
    });
  program
    .command('account:list')
    .description('print id, email address, creation time and state of every account')
    .action(() =>
      withContext(async (ctx) => {
        for (const { id, email, createdAt, suspended } of await listAccounts(ctx)) {
          print(id, email, time(createdAt.getTime()), suspended ? 'suspended' : 'active');
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

interface NewKey {
  email: string;
  name: string;
  origin: string[];
  fullAccess: boolean;
  scope: string[];
  expires?: string;
}

function addKeyCommands(program: Command): void {
  program
    .command('key:create')
    .description('create an API key and print its secret')
    .requiredOption('--email <address>', 'account that owns the key')
    .requiredOption('--name <name>')
    .option(
      '--origin <origin>',
      'allow this origin, which makes it a CORS-enabled key; can be repeated',
      collect,
      [],
    )
    .option('--full-access', 'let a CORS-enabled key use every endpoint', false)
    .option('--scope <scope>', `what it may do, one of ${keyScopes.join(', ')}; can be repeated`, collect, [])
    .option('--expires <days>', 'stop working after this many days')
    .action(({ email, name, origin, fullAccess, scope, expires }: NewKey) =>
      withContext(async (ctx) => {
        const account = await findAccountByEmail(ctx, email);
        const input = {
          ...{ name, allowedOrigins: origin, fullAccess },
          ...(scope.length > 0 ? { scopes: scope as KeyScope[] } : {}),
          expiresAt: expires === undefined ? null : Date.now() + Number(expires) * 86_400_000,
        };
        print((await createApiKey(actingFor(ctx, account.id), input)).secret);
      }),
    );
  program
    .command('key:list')
    .description('print id, account, name, last four characters, last use and origins of every key')
    .option('--email <address>', 'only keys of this account')
    .action(({ email }: { email?: string }) =>
      withContext(async (ctx) => {
        const accounts = email ? [await findAccountByEmail(ctx, email)] : await listAccounts(ctx);
        for (const account of accounts) {
          for (const key of await listApiKeys(actingFor(ctx, account.id))) {
            const access = `${key.allowedOrigins.join(' ') || 'backend'}${key.fullAccess ? ' full-access' : ''}`;
            print(key.id, account.email, key.name, `…${key.last4}`, time(key.lastUsedAt), access);
          }
        }
      }),
    );
  program
    .command('key:delete')
    .description('delete an API key; requests with it are rejected from then on')
    .requiredOption('--id <id>', 'id from key:list')
    .action(({ id }: { id: string }) => withContext((ctx) => deleteKey(ctx, id)));
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
    .description('forward the events of an account to a server on your machine, signed like deliveries')
    .requiredOption('--forward <url>', 'URL to post them to, for example http://localhost:4000/hook')
    .requiredOption('--key <key>', 'API key of the account')
    .option('--url <url>', 'URL of the service (default: BASE_URL)')
    .option('--secret <secret>', 'signing secret (default: generated)')
    .action(async ({ forward, key, url, secret = newWebhookSecret() }: ListenOptions) => {
      if (!readUrl(forward) || !/^https?:/.test(forward))
        throw new ExpectedError('--forward: expected an http:// or https:// URL');
      const stopping = new AbortController();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
      const baseUrl = (url ?? readOperatorSettings().baseUrl).replace(/\/+$/, '');
      await listen({ forward, key, baseUrl, secret, signal: stopping.signal, say: print });
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
      const say = (line: string) => void process.stderr.write(`${line}\n`);
      print(await copyFiles({ to, removeSource, signal: stopping.signal, say }));
    });
}

function addQueueCommand(program: Command): void {
  program
    .command('queues')
    .description('print the job counts of each queue; completed counts the last hour')
    .option('--json', 'print the result as one JSON array', false)
    .action(({ json }: { json: boolean }) => printQueues({ json, print }));
}

/** Finds the account of the key first, because the operator only gives the id. @throws AppError `not_found` */
async function deleteKey(ctx: SystemContext, id: string): Promise<void> {
  for (const account of await listAccounts(ctx)) {
    const owner = actingFor(ctx, account.id);
    if (!(await listApiKeys(owner)).some((key) => key.id === id)) continue;
    await deleteApiKey(owner, id);
    return;
  }
  throw new AppError('not_found', `no API key with the id ${id}`);
}

function collect(value: string, earlier: string[]): string[] {
  return [...earlier, value];
}
