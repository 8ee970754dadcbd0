import { expect, test } from 'vitest';
import { createProgram } from './program';

const commands = createProgram().commands.map((command) => [command.name(), command] as const);

test.each(commands)(
  '%s: its help ends with an example that has existing options only, and all required ones',
  (name, command) => {
    let help = '';
    command.configureOutput({ writeOut: (text) => (help += text) }).outputHelp();
    const call = /Example:\n {2}npm run --silent cli -- (.*)\n/.exec(help)?.[1] ?? '';
    expect(call.split(' ')[0]).toBe(name);
    const usedFlags = call.match(/--[a-z-]+/g) ?? [];
    const knownFlags = command.options.map(({ long }) => long);
    expect(knownFlags).toEqual(expect.arrayContaining(usedFlags));
    const requiredFlags = command.options.filter(({ mandatory }) => mandatory).map(({ long }) => long);
    expect(usedFlags).toEqual(expect.arrayContaining(requiredFlags));
  },
);

test.each(['account:reset-link', 'account:invite'])('%s accepts --email, and the older form', (name) => {
  const command = commands.find(([candidate]) => candidate === name)?.[1];
  expect(command?.options.map(({ long }) => long)).toContain('--email');
  expect(command?.registeredArguments.map((argument) => argument.required)).toEqual([false]);
});
