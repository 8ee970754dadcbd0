import type { ReactNode } from 'react';
import { useTranslations } from 'use-intl';
import type { DataColumn } from '@/components/ui/table/data-table';
import type { TeamRole } from '@/lib/core/access/team-roles';

interface TeamRow {
  readonly id: string;
  readonly email: string;
  readonly role: TeamRole;
}

/**
 * Columns of a table of members or invitations: email address, role and a date.
 * @param dateHead heading of the column with the date
 * @param dateCell renders the date of a row
 */
export function useTeamColumns<Row extends TeamRow>(
  dateHead: string,
  dateCell: (row: Row) => ReactNode,
): readonly DataColumn<Row>[] {
  const t = useTranslations('settings.team');
  const tTeamRoles = useTranslations('settings.teamRoles');
  return [
    {
      head: t('email'),
      skeleton: 'h-4 w-48',
      cell: ({ email }) => <span className="font-medium wrap-anywhere">{email}</span>,
    },
    {
      head: t('role'),
      phone: true,
      width: 'w-32',
      skeleton: 'h-4 w-20',
      cell: ({ role }) => tTeamRoles(role),
    },
    {
      head: dateHead,
      phone: true,
      width: 'w-36',
      skeleton: 'h-4 w-20',
      className: 'whitespace-nowrap',
      cell: dateCell,
    },
  ];
}
