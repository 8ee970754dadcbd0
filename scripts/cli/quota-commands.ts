import type { Command } from 'commander';
import { quotaNames, type OwnQuotas, type QuotaName } from '@/lib/core/quotas/quota';
import { getTeamQuotas, setTeamQuotas } from '@/lib/domain/quotas';
import { ExpectedError } from '../service/expected-error';
import { withContext } from './open-context';
import { findTeamId, type TeamOptions, addTeamOptions } from './team-commands';

type Print = (...cells: string[]) => void;

const options: Readonly<Record<QuotaName, string>> = {
  liveStreams: '--live-streams <number>',
  storageBytes: '--storage-bytes <bytes>',
  uploadBytes: '--upload-bytes <bytes>',
  renditions: '--renditions <number>',
  viewerBytes: '--viewer-bytes <bytes>',
};

export function addQuotaCommands(program: Command, print: Print): void {
  addTeamOptions(program.command('quota:get'))
    .description('print name, limit and use of every quota of a team')
    .action((selection: TeamOptions) => printQuotas(selection, print));
  const setCommand = addTeamOptions(program.command('quota:set')).description(
    'set quotas of a team: a number, "unlimited", or "default" for the QUOTA_… settings',
  );
  for (const name of quotaNames) setCommand.option(options[name]);
  setCommand.action(async (selection: TeamOptions & Partial<Record<QuotaName, string>>) => {
    const change = Object.fromEntries(
      quotaNames.flatMap((name) => {
        const text = selection[name];
        return text === undefined ? [] : [[name, parseQuota(name, text)]];
      }),
    );
    await withContext(
      async (ctx) => void (await setTeamQuotas(ctx, await findTeamId(ctx, selection), change)),
    );
    await printQuotas(selection, print);
  });
}

function parseQuota(name: QuotaName, text: string): OwnQuotas[QuotaName] {
  if (text === 'unlimited') return text;
  if (text === 'default') return null;
  if (/^\d{1,15}$/.test(text)) return Number(text);
  const [option] = options[name].split(' ');
  throw new ExpectedError(`${option}: expected a whole number, "unlimited" or "default"`);
}

async function printQuotas(selection: TeamOptions, print: Print): Promise<void> {
  const { effective, uses } = await withContext(async (ctx) =>
    getTeamQuotas(ctx, await findTeamId(ctx, selection)),
  );
  for (const name of quotaNames) {
    const usedAmount = uses.find((use) => use.name === name)?.used;
    print(name, String(effective[name] ?? 'unlimited'), String(usedAmount ?? '-'));
  }
}
