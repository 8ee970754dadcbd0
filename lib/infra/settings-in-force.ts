import { readUrl } from '@/lib/core/read-url';
import { variablesSchema } from './env-schema';
import { readOperatorSettings, type OperatorSettings } from './env';

interface SettingInForce {
  readonly name: string;
  /** Null if not set. */
  readonly value: string | null;
  /** Whether the value is masked, entirely or in part. */
  readonly secret: boolean;
  readonly isDefault: boolean;
}

const mask = '••••••';
/** A pattern instead of a list, so that a new secret setting is masked by default. */
const secretName = /SECRET|PASSWORD|TOKEN|CREDENTIAL|_KEY/;
/** Settings with a matching name that are not secret, because they contain file paths. */
const unmaskedNames: ReadonlySet<string> = new Set(['TLS_KEY', 'INTERNAL_TLS_KEY']);

/** All settings with the values of this process, without secrets. */
export function settingsInForce(settings: OperatorSettings): SettingInForce[] {
  const { environment: values } = settings;
  const { environment: defaults } = readOperatorSettings({});
  return Object.keys(variablesSchema.shape)
    .sort()
    .map((name) => {
      const text = values[name] ?? '';
      const value = text === '' ? null : maskValue(name, text);
      return {
        name,
        value,
        secret: value !== null && value !== text,
        isDefault: text === (defaults[name] ?? ''),
      };
    });
}

function maskValue(name: string, value: string): string {
  if (secretName.test(name) && !unmaskedNames.has(name)) return mask;
  const url = name === 'ICE_SERVERS' ? null : readUrl(value);
  // URLs of TURN servers have no slashes, so they are not parsed as URLs.
  if (!url) return value.replaceAll(/(turns?:[^:@\s,]+):[^@\s,]+@/g, `$1:${mask}@`);
  // The password and the query of a URL are masked.
  const query = url.search === '' ? '' : `?${mask}`;
  const user = url.username === '' ? '' : `${url.username}${url.password === '' ? '' : `:${mask}`}@`;
  return url.password === '' && query === ''
    ? value
    : `${url.protocol}//${user}${url.host}${url.pathname}${query}`;
}
