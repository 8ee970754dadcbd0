import {
  type PlaybackPolicy,
  type PlaybackPolicyInput,
  MAX_CONTEXT_LENGTH,
  playbackPolicy,
} from '@/lib/contract/access/playback-policy';

/** Policy types in form order, from open to strict. */
export const policyTypes = [
  'public',
  'password',
  'jwt',
  'webhook',
] as const satisfies readonly PlaybackPolicy['type'][];

/** What a country list does: nothing, allow only its countries, or block them. */
export const countryRules = ['any', 'allow', 'block'] as const;

/** A playback policy as form values. */
export interface PolicyDraft {
  type: PlaybackPolicy['type'];
  /** Password for viewers; empty: keep the current one. */
  password: string;
  /** Id of the webhook; empty: none chosen. */
  webhookId: string;
  /** Seconds between two requests to the webhook for one viewer, as entered. */
  refreshInterval: string;
  /** Decision if the webhook does not respond. */
  fallback: 'deny' | 'allow';
  /** Additional JSON object for the webhook, as entered; empty: none. */
  context: string;
  /** Origins of the websites that may embed the player; empty: any. */
  origins: string[];
  countries: CountryDraft;
}

export interface CountryDraft {
  rule: (typeof countryRules)[number];
  /** ISO 3166-1 alpha-2 codes of the rule. */
  codes: string[];
}

/** Default refresh interval of the API, in seconds. */
const DEFAULT_REFRESH_SECONDS = 600;

/**
 * Form values of a saved policy.
 * @param policy undefined: anyone may watch
 */
export function draftOf(policy: PlaybackPolicy | undefined): PolicyDraft {
  return {
    type: policy?.type ?? 'public',
    password: '',
    webhookId: policy?.webhookId ?? '',
    refreshInterval: String(policy?.refreshInterval ?? DEFAULT_REFRESH_SECONDS),
    fallback: policy?.webhookFallback ?? 'deny',
    context: policy?.webhookContext ? JSON.stringify(policy.webhookContext, null, 2) : '',
    origins: [...(policy?.allowedOrigins ?? [])],
    countries: countriesOf(policy),
  };
}

function countriesOf(policy: PlaybackPolicy | undefined): CountryDraft {
  const { allowedCountries = [], blockedCountries = [] } = policy ?? {};
  if (allowedCountries.length > 0) return { rule: 'allow', codes: [...allowedCountries] };
  return { rule: blockedCountries.length > 0 ? 'block' : 'any', codes: [...blockedCountries] };
}

/** Whether the draft limits origins or countries. */
export const isLimited = ({ origins, countries }: Pick<PolicyDraft, 'origins' | 'countries'>): boolean =>
  origins.length > 0 || countries.rule !== 'any';

/**
 * Parses the additional context for the webhook.
 * @returns undefined for an empty text; null for a text that is not a JSON object of the allowed size
 */
export function parseContext({
  context,
}: Pick<PolicyDraft, 'context'>): PlaybackPolicy['webhookContext'] | undefined | null {
  if (context.trim() === '') return undefined;
  try {
    const value: unknown = JSON.parse(context);
    const { success, data } = playbackPolicy.shape.webhookContext.safeParse(value);
    return success && JSON.stringify(data).length <= MAX_CONTEXT_LENGTH ? data : null;
  } catch {
    return null;
  }
}

/** Whether a password must be entered, because none is saved. */
export const needsPassword = (
  draft: Pick<PolicyDraft, 'type'>,
  storedPolicy: PlaybackPolicy | undefined,
): boolean => draft.type === 'password' && storedPolicy?.type !== 'password';

/** Policy for the API; null: anyone may watch. */
export function policyOf(draft: PolicyDraft): PlaybackPolicyInput | null {
  const { type, password, webhookId, refreshInterval, fallback, origins, countries } = draft;
  if (type === 'public' && !isLimited(draft)) return null;
  const context = parseContext(draft);
  return {
    type,
    ...(origins.length > 0 ? { allowedOrigins: [...origins] } : {}),
    ...(countries.rule === 'allow' ? { allowedCountries: [...countries.codes] } : {}),
    ...(countries.rule === 'block' ? { blockedCountries: [...countries.codes] } : {}),
    ...(type === 'password' && password !== '' ? { password } : {}),
    ...(type === 'webhook'
      ? {
          webhookId,
          refreshInterval: Number(refreshInterval),
          webhookFallback: fallback,
          ...(context ? { webhookContext: context } : {}),
        }
      : {}),
  };
}
