import { readUrl } from '@/lib/core/read-url';
import { operatorSchema } from './env-schema';
import { readOperatorSettings, type OperatorSettings } from './env';

interface SettingInForce {
  readonly name: string;
  /** Null: not set. */
  readonly value: string | null;
  /** A part of the value, or all of it, is masked. */
  readonly secret: boolean;
  readonly isDefault: boolean;
}

const mask = '••••••';
/** A pattern instead of a list, so that a new secret setting is masked by default. */
const secretName = /SECRET|PASSWORD|TOKEN|CREDENTIAL|_KEY/;
/** Paths of files. */
const shownSecrets: ReadonlySet<string> = new Set(['INTERNAL_TLS_KEY']);
/** Told to a process by the supervisor: no setting. */
const internal: ReadonlySet<string> = new Set(['PROCESS_SLOT']);

/** Every setting by name, as this process has it, without secrets. */
export function settingsInForce(settings: OperatorSettings): SettingInForce[] {
  const { environment: values } = settings;
  const { environment: defaults } = readOperatorSettings({});
  return Object.keys(operatorSchema.shape)
    .filter((name) => !internal.has(name))
    .sort()
    .map((name) => {
      const given = values[name] ?? '';
      const value = given === '' ? null : maskValue(name, given);
      return {
        name,
        value,
        secret: value !== null && value !== given,
        isDefault: given === (defaults[name] ?? ''),
      };
    });
}

function maskValue(name: string, value: string): string {
  if (secretName.test(name) && !shownSecrets.has(name)) return mask;
  const url = readUrl(value);
  if (!url) return value;
  // The password of a URL, and whatever a query may hold.
  const query = url.search === '' ? '' : `?${mask}`;
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${mask}`}@`;
  return url.password === '' && query === ''
    ? value
    : `${url.protocol}//${user}${url.host}${url.pathname}${query}`;
}
