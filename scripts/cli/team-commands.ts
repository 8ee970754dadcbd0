import type { Command } from 'commander';
import { z } from 'zod';
import { findAccountByEmail } from '@/lib/domain/accounts';
import type { SystemContext, TeamContext } from '@/lib/domain/context';
import { listAllTeams } from '@/lib/domain/teams';
import { ExpectedError } from '../service/expected-error';
import { withContext } from './open-context';

type Print = (...cells: string[]) => void;

/** Options that select a team. */
export interface TeamOptions {
  readonly email?: string;
  readonly team?: string;
}

export function addTeamCommands(program: Command, print: Print): void {
  program
    .command('team:list')
    .description('print id, name, state and owners of every team')
    .action(() =>
      withContext(async (ctx) => {
        for (const { id, name, suspended, owners } of await listAllTeams(ctx))
          print(id, name, suspended ? 'suspended' : 'active', owners.join(' '));
      }),
    );
}

/** Adds `--email` and `--team` to a command about one team. */
export const addTeamOptions = (command: Command): Command =>
  command
    .option('--email <address>', 'the team that came with this account')
    .option('--team <id>', 'the team with this id, from team:list');

/**
 * Finds the team that the options select.
 * @returns its id
 * @throws ExpectedError for other options; AppError `not_found` for an unknown account
 */
export async function findTeamId(ctx: SystemContext, { email, team }: TeamOptions): Promise<string> {
  if (email !== undefined && team !== undefined) throw new ExpectedError('Use either --email or --team.');
  if (email !== undefined) return (await findAccountByEmail(ctx, email)).id;
  if (team !== undefined && z.uuid().safeParse(team).success) return team;
  throw new ExpectedError('Add --email with the address of an account, or --team with the id of a team.');
}

/** The operator acting for a team. */
export const actingForTeam = (ctx: SystemContext, teamId: string): TeamContext => ({
  ...ctx,
  actor: { kind: 'cli', teamId },
});
