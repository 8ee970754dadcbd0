import type { AuditLine } from '@/lib/contract/accounts/account';

const whole: Readonly<Record<string, string>> = {
  'account.signed-in': 'Logged in',
  'account.signed-out': 'Logged out',
  'account.sign-in-refused': 'Login failed',
  'account.sessions-ended': 'Logged out everywhere',
  'account.target-url-tested': 'Target URL tested',
};
const kinds: Readonly<Record<string, string>> = { 'api-key': 'API key', brand: 'Viewer page' };

/** `stream.key-rotated` as people say it: "Stream key rotated". */
export function actionInWords(action: string): string {
  const [kind = '', what = ''] = action.split('.', 2);
  const name = kinds[kind] ?? kind.charAt(0).toUpperCase() + kind.slice(1);
  return whole[action] ?? `${name} ${what.replaceAll('-', ' ')}`.trim();
}

const pages: Readonly<Record<string, string>> = {
  stream: '/streams',
  asset: '/assets',
  webhook: '/developers/webhooks',
};

/** Where the object of a line can be seen; null when it has no page, or is gone. */
export function pageOfLine({ action, objectId }: Pick<AuditLine, 'action' | 'objectId'>): string | null {
  const [kind = '', what = ''] = action.split('.', 2);
  const page = pages[kind];
  if (kind === 'task' && objectId !== null) return `/tasks?task=${objectId}`;
  return page === undefined || objectId === null || what === 'deleted' ? null : `${page}/${objectId}`;
}

/** Who did it, as the account's owner knows them. */
export function actorInWords({ action, actor, keyId, keyName }: AuditLine): string {
  switch (actor) {
    case 'session':
      return 'You, in a browser';
    case 'key':
      return keyName === null
        ? `Deleted API key${keyId ? ` ${keyId.slice(0, 8)}` : ''}`
        : `API key “${keyName}”`;
    case 'cli':
      return 'The server’s operator';
    case 'system':
      return 'The service';
    case 'visitor':
      return action === 'account.sign-in-refused' ? 'Someone logging in' : 'You, with your password';
  }
}

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

/** "Firefox on Linux", or the first word of a program that is no browser. */
export function agentInWords(userAgent: string | null): string {
  if (userAgent === null || userAgent === '') return '';
  const find = (list: typeof browsers) => list.find(([pattern]) => pattern.test(userAgent))?.[1];
  const [browser, system] = [find(browsers), find(systems)];
  if (browser) return system ? `${browser} on ${system}` : browser;
  return userAgent.split(/[\s(]/, 1)[0] ?? '';
}
