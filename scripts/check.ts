import { generateClient } from './generate';
import { runStaticChecks } from './checks/static-checks';
import { summary } from './checks/tally';

/** `npm run check`: everything that needs no service, in under a minute. */
export default async function check(): Promise<void> {
  const ended = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => ended.abort());
  await generateClient((line) => console.log(line));
  const tally = await runStaticChecks(ended.signal);
  console.log(summary(tally));
  process.exitCode = tally.failures.length || ended.signal.aborted ? 1 : 0;
}
