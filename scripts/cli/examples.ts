import type { Command } from 'commander';

/** Options of an example for each command. The example is at the end of its `--help`. */
const examples: Readonly<Record<string, string>> = {
  'account:create': '--email ada@example.com',
  'account:list': '',
  'account:reset-factors': '--email ada@example.com',
  'account:reset-link': '--email ada@example.com',
  'account:invite': '--email ada@example.com',
  'team:list': '',
  'key:create': '--email ada@example.com --name laptop',
  'key:list': '--email ada@example.com',
  'key:delete': '--id 9d2f6a58-1c0e-4f5b-8a3d-6b7c8d9e0f12',
  listen: '--forward http://localhost:4000/hook --key YOUR_API_KEY',
  'storage:audit': '--json',
  'storage:copy': '--to s3',
  queues: '--json',
  'node:list': '',
  'node:drain': '--node 9d2f6a58-1c0e-4f5b-8a3d-6b7c8d9e0f12',
  'node:undrain': '--node 9d2f6a58-1c0e-4f5b-8a3d-6b7c8d9e0f12',
  'quota:get': '--email ada@example.com',
  'quota:set': '--email ada@example.com --live-streams 5',
  'rtc:check': '--stream-key abcd-ef12-3456-7890 --url https://media.example.com',
  backup: '--to /backups/monday',
  restore: '--from /backups/monday',
};

/** Adds an example to the help of each command. */
export function addExamples(program: Command): void {
  for (const command of program.commands) {
    const name = command.name();
    const call = `npm run --silent cli -- ${name} ${examples[name] ?? ''}`.trimEnd();
    if (name in examples) command.addHelpText('after', `\nExample:\n  ${call}`);
  }
}
