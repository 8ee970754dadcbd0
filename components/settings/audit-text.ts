import type { Translator } from '@/components/i18n/messages';
import { capitalize } from '@/components/ui/form/server-messages';
import type { AuditEntry } from '@/lib/contract/accounts/account';

type T = Translator<'settings.auditText'>;

/**
 * Describes an action: `stream.key-rotated` becomes "Stream key rotated". If the catalogue has no message, the words of the
 * action are shown.
 */
export function describeAction(t: T, action: string): string {
  // Message keys are typed, but actions come from the service, so the type of one key is used for all.
  const key = `action.${action}` as 'action.stream.created';
  if (t.has(key)) return t(key);
  return capitalize(action.replaceAll(/[.-]/g, ' '));
}

/** Parent paths of the pages of objects, by kind of object. */
const parentPaths: Readonly<Record<string, string>> = {
  stream: '/streams',
  asset: '/assets',
  webhook: '/developers/webhooks',
};

/** URL of the page of the object; null if the object has no page or was deleted. */
export function objectHref({ action, objectId }: Pick<AuditEntry, 'action' | 'objectId'>): string | null {
  const [kind = '', change = ''] = action.split('.', 2);
  const parentPath = parentPaths[kind];
  if (kind === 'task' && objectId !== null) return `/tasks?task=${objectId}`;
  return parentPath === undefined || objectId === null || change === 'deleted'
    ? null
    : `${parentPath}/${objectId}`;
}

/** Message for the actor of an action by a person who is not logged in. */
const anonymousActors: Readonly<
  Partial<Record<string, 'stranger' | 'loginPage' | 'link' | 'issuer' | 'passkey' | 'recoveryCode'>>
> = {
  'account.sign-in-refused': 'stranger',
  'account.recovery-code-used': 'recoveryCode',
  'account.signed-in-with-passkey': 'passkey',
  'account.identity-linked': 'issuer',
  'account.signed-in-with-oidc': 'issuer',
  'account.reset-link-requested': 'loginPage',
  'account.password-reset': 'link',
  'account.email-changed': 'link',
};

/** Who performed an action: an email address, an API key, or a description. */
export function describeActor(t: T, { action, actor, email, keyId, keyName }: AuditEntry): string {
  switch (actor) {
    case 'session':
      return email ?? t('actor.session');
    case 'key':
      if (keyName !== null) return t('actor.key', { name: keyName });
      return keyId ? t('actor.deletedKey', { id: keyId.slice(0, 8) }) : t('actor.anyDeletedKey');
    case 'cli':
      return t('actor.cli');
    case 'system':
      return t('actor.system');
    case 'visitor':
      return t(`actor.${anonymousActors[action] ?? 'visitor'}`);
  }
}

// The first match counts, because user agents also name other browsers: Edge names Chrome, Chrome names Safari.
const browsers: readonly (readonly [RegExp, string])[] = [
  [/\bEdg\//, 'Edge'],
  [/\bFirefox\//, 'Firefox'],
  [/\b(?:Headless)?Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
];
const systems: readonly (readonly [RegExp, string])[] = [
  [/Android/, 'Android'],
  [/iPhone|iPad/, 'iOS'],
  [/Windows/, 'Windows'],
  [/Mac OS X/, 'macOS'],
  [/Linux/, 'Linux'],
];

/** "Firefox on Linux", or the first word of the user agent of a program that is no browser. */
export function describeAgent(t: T, userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return '';
  const findName = (names: typeof browsers) => names.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [findName(browsers), findName(systems)];
  if (browser) return system ? t('browserOnSystem', { browser, system }) : browser;
  return userAgent.split(/[\s(]/, 1)[0] ?? '';
}
