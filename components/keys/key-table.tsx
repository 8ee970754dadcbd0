import { DAY_MS } from '@/lib/core/units';
import { Eye, Trash2 } from 'lucide-react';
import { useLocale, useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { IfPermitted } from '@/components/teams/use-team';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { CalendarDate, RelativeTime } from '@/components/ui/relative-time';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import type { ApiKey } from '@/lib/contract/accounts/api-key';

interface KeyAccess {
  allowedOrigins: readonly string[];
  fullAccess: boolean;
}

/** Label for the kind of a key. A key without allowed origins works only outside of browsers. */
export function formatKeyKind(
  t: Translator<'keys.keyKind'>,
  { allowedOrigins, fullAccess }: KeyAccess,
): string {
  if (allowedOrigins.length === 0) return t('backend');
  return t(fullAccess ? 'browserFullAccess' : 'browser');
}

/** Days of calls that the API returns. */
const USAGE_DAYS = 30;

interface KeyUsageProps {
  /** Calls by day in UTC, `YYYY-MM-DD`. Days without calls are missing. */
  usage: readonly { day: string; calls: number }[];
  /** A time on the last day of the bars, in Unix milliseconds. */
  today: number;
}

/** Calls of the last 30 days as a number and, visually, as bars per day. */
function KeyUsage({ usage, today }: KeyUsageProps) {
  const language = useLocale();
  const callsByDay = new Map(usage.map((row) => [row.day, row.calls]));
  const dailyCalls = Array.from({ length: USAGE_DAYS }, (_, index) => {
    const day = new Date(today - (USAGE_DAYS - 1 - index) * DAY_MS).toISOString().slice(0, 10);
    return callsByDay.get(day) ?? 0;
  });
  const total = dailyCalls.reduce((sum, dayCalls) => sum + dayCalls, 0);
  const maxDailyCalls = Math.max(1, ...dailyCalls);
  return (
    <span className="inline-flex items-center gap-3">
      <span className="w-12 font-mono text-sm sm:text-right">{total.toLocaleString(language)}</span>
      {/* Bars 2 wide and up to 20 high, with gaps of 1. A day without calls has a bar of 1, other days at least 2. */}
      <svg viewBox={`0 0 ${USAGE_DAYS * 3} 20`} aria-hidden="true" className="h-5 w-[90px]">
        {dailyCalls.map((dayCalls, index) => {
          const height = dayCalls === 0 ? 1 : 2 + (dayCalls / maxDailyCalls) * 18;
          return (
            <rect
              key={index}
              x={index * 3}
              y={20 - height}
              width={2}
              height={height}
              className={dayCalls === 0 ? 'fill-line' : 'fill-accent'}
            />
          );
        })}
      </svg>
    </span>
  );
}

interface KeyTableProps {
  /** Undefined while loading. */
  keys: readonly ApiKey[] | undefined;
  /** Current time in Unix milliseconds. */
  today: number;
  onReveal: (key: ApiKey) => void;
  onDelete: (key: ApiKey) => void;
}

export function KeyTable({ keys, today, onReveal, onDelete }: KeyTableProps) {
  const t = useTranslations('keys.keyTable');
  const tKeyKind = useTranslations('keys.keyKind');
  const tLimits = useTranslations('keys.limits');
  return (
    <DataTable
      label={t('apiKeys')}
      columns={columnsOf(t, tKeyKind, tLimits, today)}
      rows={keys}
      nameOf={({ name }) => name}
      placeholderRows={3}
      menu={(key) => <KeyMenu apiKey={key} onReveal={() => onReveal(key)} onDelete={() => onDelete(key)} />}
    />
  );
}

const columnsOf = (
  t: Translator<'keys.keyTable'>,
  tKeyKind: Translator<'keys.keyKind'>,
  tLimits: Translator<'keys.limits'>,
  today: number,
): readonly DataColumn<ApiKey>[] => [
  {
    head: t('name'),
    skeleton: 'h-4 w-36',
    cell: ({ name, disabled, createdBy }) => (
      <>
        <span className="font-medium wrap-anywhere">{name}</span>
        {disabled !== null && (
          <span className="text-live-ink block text-sm wrap-anywhere">
            {t(`disabled.${disabled}`, { email: createdBy ?? t('deletedAccount') })}
          </span>
        )}
      </>
    ),
  },
  {
    head: t('kind'),
    phone: true,
    // The origins of a key may need several lines.
    className: 'sm:py-2',
    skeleton: 'h-4 w-20',
    cell: (key) => (
      <>
        <span>{formatKeyKind(tKeyKind, key)}</span>
        {!key.scopes.includes('all') && (
          <span className="text-ink-3 block text-sm">
            {key.scopes.map((scope) => tLimits(`scopes.${scope}`)).join(', ')}
          </span>
        )}
        <Origins origins={key.allowedOrigins} />
      </>
    ),
  },
  {
    head: t('key'),
    skeleton: 'h-4 w-20',
    cell: ({ last4 }) => <span className="text-ink-2 font-mono text-sm whitespace-nowrap">lsk_…{last4}</span>,
  },
  {
    head: t('lastUsed'),
    phone: true,
    skeleton: 'h-4 w-20',
    cell: ({ lastUsedAt, lastIp, expiresAt }) => (
      <>
        <RelativeTime at={lastUsedAt} />
        {lastIp !== null && <span className="text-ink-3 block font-mono text-sm">{lastIp}</span>}
        {expiresAt !== null && (
          <span className="text-ink-3 block text-sm">
            {tLimits(expiresAt > today ? 'expires' : 'expired')} <CalendarDate at={expiresAt} />
          </span>
        )}
      </>
    ),
  },
  {
    head: t('calls'),
    skeleton: 'h-5 w-36',
    cell: ({ usage }) => <KeyUsage usage={usage} today={today} />,
  },
];

function KeyMenu(props: { apiKey: ApiKey; onReveal: () => void; onDelete: () => void }) {
  const t = useTranslations('keys.keyTable');
  const { name, scopes } = props.apiKey;
  return (
    <RowMenu name={name}>
      {/* A key with all scopes can do what admins can. */}
      <IfPermitted minimumRole={scopes.includes('all') ? 'admin' : 'developer'}>
        <MenuItem icon={Eye} onSelect={props.onReveal}>
          {t('revealSecret')}
        </MenuItem>
        <MenuSeparator />
      </IfPermitted>
      <MenuItem icon={Trash2} danger onSelect={props.onDelete}>
        {t('deleteKey')}
      </MenuItem>
    </RowMenu>
  );
}

function Origins({ origins }: { origins: readonly string[] }) {
  const t = useTranslations('keys.keyTable');
  const [firstOrigin, ...otherOrigins] = origins;
  if (firstOrigin === undefined) return null;
  return (
    <span
      className="text-ink-3 block truncate font-mono text-xs max-sm:col-start-2 sm:max-w-56"
      title={origins.join('\n')}
    >
      {firstOrigin === '*' ? t('anyOrigin') : firstOrigin}
      {otherOrigins.length > 0 && ` +${otherOrigins.length}`}
    </span>
  );
}
