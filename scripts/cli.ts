import { generateClient } from './generate';

/** `npm run cli -- <command>`: the operator's command line; works while the service runs and when it does not. */
export default async function cli(args: readonly string[]): Promise<void> {
  await generateClient((line) => void process.stderr.write(`${line}\n`));
  // Only now is there a client that the commands could import.
  const { createProgram } = await import('./cli/program');
  await createProgram().parseAsync([...args], { from: 'user' });
}
