import { generateClient } from './generate';

/** `npm run demo`: a test card with a tone, live in a browser, until Ctrl-C. */
export default async function demo(): Promise<void> {
  await generateClient((line) => void process.stderr.write(`${line}\n`));
  // Only now is there a client that the demo could import.
  const { runDemo } = await import('./cli/demo');
  await runDemo();
}
