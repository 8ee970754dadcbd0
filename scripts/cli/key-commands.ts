import { DAY_MS } from '@/lib/core/units';
import type { Command } from 'commander';
import { createApiKey, deleteApiKey, listApiKeys } from '@/lib/domain/api-keys';
import type { SystemContext } from '@/lib/domain/context';
import { keyScopes, type KeyScope } from '@/lib/core/access/key-policy';
import { notFound } from '@/lib/core/errors';
import { listAllTeams } from '@/lib/domain/teams';
import { actingFor, withContext } from './open-context';
import { actingForTeam, findTeamId, type TeamOptions, addTeamOptions } from './team-commands';

type Print = (...cells: string[]) => void;

interface NewKey extends TeamOptions {
  readonly name: string;
  readonly origin: string[];
  readonly fullAccess: boolean;
  readonly scope: string[];
  readonly expires?: string;
}

const formatTime = (ms: number | null) => (ms === null ? 'never' : new Date(ms).toISOString());
const appendValue = (value: string, earlier: string[]): string[] => [...earlier, value];

export function addKeyCommands(program: Command, print: Print): void {
  addTeamOptions(program.command('key:create').description('create an API key and print its secret'))
    .requiredOption('--name <name>')
    .option(
      '--origin <origin>',
      'allow this origin, which makes it a CORS-enabled key; can be repeated',
      appendValue,
      [],
    )
    .option('--full-access', 'let a CORS-enabled key use every endpoint', false)
    .option(
      '--scope <scope>',
      `what it may do, one of ${keyScopes.join(', ')}; can be repeated`,
      appendValue,
      [],
    )
    .option('--expires <days>', 'stop working after this many days')
    .action((newKey: NewKey) => withContext(async (ctx) => print(await createKey(ctx, newKey))));
  addTeamOptions(
    program
      .command('key:list')
      .description(
        'print id, team, name, last four characters, last use, access, scopes, expiry of keys, and why one is disabled',
      ),
  ).action((selection: TeamOptions) => withContext((ctx) => printKeys(ctx, selection, print)));
  program
    .command('key:delete')
    .description('delete an API key; requests with it are rejected from then on')
    .requiredOption('--id <id>', 'id from key:list')
    .action(({ id }: { id: string }) => withContext((ctx) => deleteKey(ctx, id)));
}

/**
 * Creates an API key.
 * @returns its secret
 */
async function createKey(ctx: SystemContext, newKey: NewKey): Promise<string> {
  const { email, name, origin, fullAccess, scope, expires } = newKey;
  const teamId = await findTeamId(ctx, newKey);
  const input = {
    name,
    allowedOrigins: origin,
    fullAccess,
    ...(scope.length > 0 ? { scopes: scope as KeyScope[] } : {}),
    expiresAt: expires === undefined ? null : Date.now() + Number(expires) * DAY_MS,
  };
  // With --email, the creator of the key is the account: the key of an operator has operator rights. A personal team has
  // the id of its account.
  const { secret } = await createApiKey(
    email === undefined ? actingForTeam(ctx, teamId) : actingFor(ctx, teamId),
    input,
  );
  return secret;
}

async function printKeys(ctx: SystemContext, selection: TeamOptions, print: Print): Promise<void> {
  const everyTeam = selection.email === undefined && selection.team === undefined;
  const teamId = everyTeam ? null : await findTeamId(ctx, selection);
  for (const team of await listAllTeams(ctx)) {
    if (teamId !== null && team.id !== teamId) continue;
    for (const key of await listApiKeys(actingForTeam(ctx, team.id))) {
      const access = `${key.allowedOrigins.join(' ') || 'backend'}${key.fullAccess ? ' full-access' : ''}`;
      const limits = [key.scopes.join(' '), formatTime(key.expiresAt), key.disabled ?? 'works'];
      print(key.id, team.name, key.name, `…${key.last4}`, formatTime(key.lastUsedAt), access, ...limits);
    }
  }
}

/**
 * Deletes an API key of any team, because the operator gives only its id.
 * @throws AppError `not_found`
 */
async function deleteKey(ctx: SystemContext, id: string): Promise<void> {
  for (const team of await listAllTeams(ctx)) {
    const owner = actingForTeam(ctx, team.id);
    if (!(await listApiKeys(owner)).some((key) => key.id === id)) continue;
    await deleteApiKey(owner, id);
    return;
  }
  throw notFound(`no API key with the id ${id}`);
}
