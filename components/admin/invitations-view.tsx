'use client';

import { LinkDialog } from '@/components/ui/copy/link-dialog';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Ban } from 'lucide-react';
import { useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { EmptyState, LoadErrorMessage } from '@/components/ui/empty-state';
import { Field, Input } from '@/components/ui/form/field';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { MenuItem } from '@/components/ui/overlay/menu';
import { AdminNav } from './admin-nav';
import { PageHeader } from '@/components/ui/page-header';
import { CalendarDate, RelativeTime } from '@/components/ui/relative-time';
import { StatusPill, type StatusTone } from '@/components/ui/status-pill';
import { DataTable, type DataColumn } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { errorMessagesOf } from '@/lib/client/call';
import { useInvitations, useInvite, useRevokeInvitation } from '@/lib/client/queries/admin-queries';
import type { Invitation } from '@/lib/contract/accounts/invitation';

/** Invitation links with which people sign up. */
export function InvitationsView() {
  const t = useTranslations('admin.invitations');
  const { data: rows, isError, error, refetch } = useInvitations();
  const columns = useColumns();
  const [invitationToRevoke, setInvitationToRevoke] = useState<Invitation | null>(null);
  const nameOf = ({ email }: Invitation) => email ?? t('anyone');
  return (
    <>
      <PageHeader
        nav={<AdminNav />}
        title={t('title')}
        description={t('description')}
        action={<InviteDialog />}
      />
      {isError && !rows ? (
        <LoadErrorMessage subject={t('theInvitations')} error={error} onRetry={() => void refetch()} />
      ) : rows?.length === 0 ? (
        <EmptyState
          title={t('none')}
          command={{ label: t('command'), code: 'npm run cli -- account:invite --email ada@example.com' }}
        >
          {t('noneText')}
        </EmptyState>
      ) : (
        <DataTable
          label={t('title')}
          columns={columns}
          rows={rows}
          nameOf={nameOf}
          menu={(row) =>
            row.state === 'open' && (
              <RowMenu name={nameOf(row)}>
                <MenuItem icon={Ban} danger onSelect={() => setInvitationToRevoke(row)}>
                  {t('revoke')}
                </MenuItem>
              </RowMenu>
            )
          }
          placeholderRows={3}
        />
      )}
      <RevokeInvitationDialog invitation={invitationToRevoke} onClose={() => setInvitationToRevoke(null)} />
    </>
  );
}

const stateTones: Readonly<Record<Invitation['state'], StatusTone>> = {
  open: 'accent',
  used: 'idle',
  revoked: 'idle',
  expired: 'idle',
};

function useColumns(): readonly DataColumn<Invitation>[] {
  const t = useTranslations('admin.invitations');
  const timeColumn = { width: 'w-44', skeleton: 'h-4 w-24', className: 'whitespace-nowrap' } as const;
  return [
    {
      head: t('columns.for'),
      skeleton: 'h-4 w-48',
      cell: ({ email }) => <span className="font-medium wrap-anywhere">{email ?? t('anyone')}</span>,
    },
    {
      head: t('columns.state'),
      phone: true,
      width: 'w-32',
      skeleton: 'h-6 w-20 rounded-full',
      cell: ({ state }) => <StatusPill tone={stateTones[state]}>{t(`states.${state}`)}</StatusPill>,
    },
    { ...timeColumn, head: t('columns.created'), cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
    {
      ...timeColumn,
      // When the invitation was used, or else when it expires.
      head: t('columns.ends'),
      phone: true,
      cell: ({ usedAt, expiresAt }) =>
        usedAt === null ? <CalendarDate at={expiresAt} /> : <RelativeTime at={usedAt} />,
    },
  ];
}

function InviteDialog() {
  const t = useTranslations('admin.invitations');
  const invite = useInvite();
  return (
    <LinkDialog
      creation={invite}
      variant="primary"
      title={t('invite')}
      description={t('inviteText')}
      created={{
        title: t('made'),
        description: t(invite.data?.mailed ? 'mailed' : 'passItOn'),
        label: t('link'),
      }}
      doneLabel={t('done')}
    >
      {(close) => <InviteForm invite={invite} onCancel={close} />}
    </LinkDialog>
  );
}

interface InviteFormProps {
  invite: ReturnType<typeof useInvite>;
  onCancel: () => void;
}

function InviteForm({ invite, onCancel }: InviteFormProps) {
  const t = useTranslations('admin.invitations');
  const form = useMutationForm({ mutation: invite, fields: ['email'], defaultValues: { email: '' } });
  return (
    <MutationForm
      form={form}
      submitLabel={t('create')}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={({ email }) => invite.mutate(email.trim() || null)}
    >
      <Field label={t('email')} hint={t('emailHint')} error={form.errorOf('email')}>
        {(field) => (
          <Input
            {...field}
            {...form.register('email')}
            type="email"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        )}
      </Field>
    </MutationForm>
  );
}

function RevokeInvitationDialog({
  invitation,
  onClose,
}: {
  invitation: Invitation | null;
  onClose: () => void;
}) {
  const t = useTranslations('admin.invitations');
  const revoke = useRevokeInvitation();
  const close = () => {
    revoke.reset();
    onClose();
  };
  return (
    <ConfirmDialog
      open={invitation !== null}
      onOpenChange={(open) => !open && close()}
      title={t('revokeTitle')}
      confirmLabel={t('revoke')}
      pending={revoke.isPending}
      error={errorMessagesOf(revoke.error)[0]}
      onConfirm={() => {
        if (!invitation) return;
        const onSuccess = () => {
          toast.success(t('revoked'));
          close();
        };
        revoke.mutate(invitation.id, { onSuccess });
      }}
    >
      {t('revokeText')}
    </ConfirmDialog>
  );
}
