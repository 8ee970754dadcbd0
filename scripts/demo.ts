import { generateClient } from './generate';

/** `npm run demo`: publishes a test pattern with a tone until Ctrl-C. */
export default async function demo(): Promise<void> {
  await generateClient((line) => void process.stderr.write(`${line}\n`));
  // Imported late, because the demo imports the generated client.
  const { runDemo } = await import('./cli/demo');
  await runDemo();
}
