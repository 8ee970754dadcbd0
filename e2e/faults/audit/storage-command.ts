import { z } from 'zod';
import type { Stage } from '../stage';

const reportSchema = z.object({ unowned: z.array(z.unknown()), missing: z.array(z.unknown()) });
const failureSchema = z.object({ stdout: z.string(), stderr: z.string() });

/**
 * Runs `npm run cli -- storage:audit --json`, which compares rows and files.
 * @returns a summary
 */
export async function auditWithCommand({ service, journal }: Stage): Promise<string> {
  const output = await service
    .cli('storage:audit', '--json')
    .catch((error: unknown) => failureSchema.parse(error));
  const stdout = typeof output === 'string' ? output : output.stdout.trim();
  if (typeof output !== 'string' && /unknown command/i.test(output.stderr)) {
    journal.log('storage:audit is not a command of this version: skipped');
    return 'skipped';
  }
  const parseResult = reportSchema.safeParse(parseJson(stdout));
  if (!parseResult.success) {
    journal.reportProblem('storage:audit printed no result', 'storage:audit', output);
    return 'failed';
  }
  const { unowned: unownedKeys, missing } = parseResult.data;
  for (const file of unownedKeys)
    journal.reportProblem('storage:audit: a file has no row', JSON.stringify(file));
  for (const file of missing) journal.reportProblem('storage:audit: a file is missing', JSON.stringify(file));
  return `${unownedKeys.length} unowned, ${missing.length} missing`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
