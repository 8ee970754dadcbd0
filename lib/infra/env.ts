import type { z } from 'zod';
import { operatorSchema, processSchema, settingsSchema } from './env-schema';

export type { ServiceRole } from './settings/node-settings';

/** Thrown for invalid settings, with one line per setting: its name and the expected value. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

type Environment = Readonly<Record<string, string | undefined>>;
export type OperatorSettings = Readonly<z.output<typeof operatorSchema>>;
export type Settings = Readonly<z.output<typeof settingsSchema>>;

/**
 * Settings of the supervisor and the tools.
 * @throws SettingsError naming each invalid value
 */
export const readOperatorSettings = (environment: Environment = process.env): OperatorSettings =>
  parse(operatorSchema, environment);

/**
 * Settings of a running role.
 * @throws SettingsError naming each invalid value, and DATABASE_URL or APP_SECRET if it is missing
 */
export const readSettings = (environment: Environment = process.env): Settings =>
  parse(settingsSchema, environment);

function parse<Schema extends z.ZodType>(schema: Schema, environment: Environment): z.output<Schema> {
  // An empty variable means "not set", because compose files and shells create empty variables.
  const values = Object.keys(processSchema.shape).map((name) => [name, environment[name] || undefined]);
  const result = schema.safeParse(Object.fromEntries(values));
  if (result.success) return result.data;
  const problems = result.error.issues.map((issue) => `${issue.path.join('.')}: expected ${issue.message}`);
  throw new SettingsError([...new Set(problems)].join('\n'));
}
