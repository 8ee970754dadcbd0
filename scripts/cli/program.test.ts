import { expect, test } from 'vitest';
import { createProgram } from './program';

const commands = createProgram().commands.map((command) => [command.name(), command] as const);

test.each(commands)('%s: its help ends with an example of options that it has', (name, command) => {
  let help = '';
  command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
  const call = /Example:\n {2}npm run --silent cli -- (.*)\n/.exec(help)?.[1] ?? '';
  expect(call.split(' ')[0]).toBe(name);
  const given = call.match(/--[a-z-]+/g) ?? [];
  const known = command.options.map(({ long }) => long);
  expect(known).toEqual(expect.arrayContaining(given));
  const required = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
  expect(given).toEqual(expect.arrayContaining(required));
});

test.each(['account:reset-link', 'account:invite'])('%s takes --email, and the older form', (name) => {
  const command = commands.find(([known]) => known === name)?.[1];
  expect(command?.options.map(({ long }) => long)).toContain('--email');
  expect(command?.registeredArguments.map((argument) => argument.required)).toEqual([false]);
});
