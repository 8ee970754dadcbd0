import { generateClient } from './generate';
import { runStaticChecks } from './checks/static-checks';
import { summary } from './checks/tally';

/** `npm run check`: all checks that need no running service, in less than a minute. */
export default async function check(): Promise<void> {
  const stopping = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => stopping.abort());
  await generateClient((line) => console.log(line));
  const tally = await runStaticChecks(stopping.signal);
  console.log(summary(tally));
  process.exitCode = tally.failures.length || stopping.signal.aborted ? 1 : 0;
}
