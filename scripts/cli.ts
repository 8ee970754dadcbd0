import { generateClient } from './generate';

/** `npm run cli -- <command>`: the operator's command line. Works with or without a running service. */
export default async function cli(args: readonly string[]): Promise<void> {
  await generateClient((line) => void process.stderr.write(`${line}\n`));
  // Imported late, because the commands import the generated client.
  const { createProgram } = await import('./cli/program');
  await createProgram().parseAsync([...args], { from: 'user' });
}
