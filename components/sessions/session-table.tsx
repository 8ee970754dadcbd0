import { Code, Copy, Download, Link2 } from 'lucide-react';
import { useMemo } from 'react';
import { useLocale, useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import type { Language } from '@/messages/languages';
import { formatSize } from '@/components/ui/figures';
import { DataTable, type DataColumn, type DataSorting } from '@/components/ui/table/data-table';
import { createdColumn } from '@/components/ui/table/list-columns';
import { MenuItem } from '@/components/ui/overlay/menu';
import { emptyCell } from '@/components/ui/empty-state';
import { formatDuration } from '@/components/ui/time-text';
import { RowLink } from '@/components/ui/table/table';
import { RowMenu } from '@/components/ui/table/row-menu';
import type { Session } from '@/lib/contract/sessions/session';
import type { SessionSortField } from './session-list';
import { RecordingStatus } from './recording-status';
import { downloadLink } from '@/lib/client/queries/public-urls';
import { useTranslateMessage } from '@/components/i18n/reasons';
import type { TranslateMessage } from '@/lib/client/server-messages';
import { recordingErrorIn } from './session-text';

interface SessionTableProps {
  /** Undefined while loading. */
  sessions: readonly Session[] | undefined;
  sorting: DataSorting<SessionSortField>;
  /** Copies the id, the playback URL, or a curl command that requests the session. */
  onCopy: (kind: 'id' | 'playback' | 'curl', session: Session) => void;
}

/** The table of the sessions page. */
export function SessionTable({ sessions, sorting, onCopy }: SessionTableProps) {
  const t = useTranslations('sessions.sessionTable');
  const language = useLocale();
  const translateMessage = useTranslateMessage();
  // Memoized, because new columns re-render all rows.
  const columns = useMemo(() => columnsOf(t, language, translateMessage), [t, language, translateMessage]);
  return (
    <DataTable
      label={t('sessions')}
      columns={columns}
      rows={sessions}
      nameOf={({ name }) => name}
      sorting={sorting}
      menu={(session) => <SessionMenu session={session} onCopy={onCopy} />}
    />
  );
}

type Column = DataColumn<Session, SessionSortField>;

const columnsOf = (
  t: Translator<'sessions.sessionTable'>,
  language: Language,
  translateMessage: TranslateMessage,
): readonly Column[] => [
  {
    head: t('stream'),
    skeleton: 'h-4 w-40',
    cell: ({ id, name }) => <RowLink href={`/sessions/${id}`}>{name}</RowLink>,
  },
  {
    head: t('recording'),
    phone: true,
    width: 'w-40',
    skeleton: 'h-6 w-20 rounded-full',
    cell: (session) => (
      <span title={recordingErrorIn(session, translateMessage)}>
        <RecordingStatus session={session} />
      </span>
    ),
  },
  {
    head: t('duration'),
    phone: true,
    sort: 'sourceSegmentsDuration',
    width: 'w-36',
    skeleton: 'h-4 w-16',
    className: 'whitespace-nowrap',
    cell: ({ sourceSegmentsDuration }) => formatDuration(sourceSegmentsDuration),
  },
  {
    head: t('received'),
    width: 'w-28',
    skeleton: 'h-4 w-14',
    className: 'whitespace-nowrap',
    cell: ({ sourceBytes }) => formatSize(sourceBytes, language),
  },
  {
    head: t('gaps'),
    width: 'w-24',
    skeleton: 'h-4 w-8',
    // Sessions without a recording have no list of gaps.
    cell: ({ recordingGaps }) => (recordingGaps ? recordingGaps.length || t('noGaps') : emptyCell),
  },
  { ...createdColumn, head: t('started'), phone: true, sort: 'createdAt' },
];

function SessionMenu({ session, onCopy }: Pick<SessionTableProps, 'onCopy'> & { session: Session }) {
  const t = useTranslations('sessions.sessionTable');
  const { recordingUrl, mp4Url } = session;
  return (
    <RowMenu name={t('theSessionOf', { name: session.name })}>
      <MenuItem icon={Copy} onSelect={() => onCopy('id', session)}>
        {t('copySessionId')}
      </MenuItem>
      {recordingUrl !== undefined && (
        <MenuItem icon={Link2} onSelect={() => onCopy('playback', session)}>
          {t('copyPlaybackUrl')}
        </MenuItem>
      )}
      <MenuItem icon={Code} onSelect={() => onCopy('curl', session)}>
        {t('copyAsCurl')}
      </MenuItem>
      {mp4Url !== undefined && (
        <MenuItem icon={Download} onSelect={() => window.location.assign(downloadLink(mp4Url))}>
          {t('downloadMp4')}
        </MenuItem>
      )}
    </RowMenu>
  );
}
