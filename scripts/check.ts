import { generateClient } from './generate';
import { runPlan } from './checks/plan';
import { staticChecks } from './checks/static-checks';
import { withVerdict, formatSummary } from './checks/tally';
import { timeUsed } from './checks/stopwatch';

/**
 * `npm run check`: all checks that need neither a service nor a browser, in about a minute. `npm test` includes them.
 */
export default async function check(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  await generateClient((line) => console.log(line));
  // Tests run last, and then nothing else uses the second core.
  const tally = withVerdict(await runPlan(staticChecks(stopping.signal, ['pure'], 2), 2), false);
  console.log(formatSummary(tally, timeUsed()));
  process.exitCode = tally.failures.length || stopping.signal.aborted ? 1 : 0;
}
