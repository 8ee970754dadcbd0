'use client';

import { useState } from 'react';
import { useWatch } from 'react-hook-form';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { MutationForm, SubmitButton } from '@/components/ui/form/mutation-form';
import { useMutationForm } from '@/components/ui/form/use-mutation-form';
import { ConfirmDialog } from '@/components/ui/overlay/confirm-dialog';
import { Panel } from '@/components/ui/panel';
import { errorMessagesOf } from '@/lib/client/call';
import { useMe } from '@/lib/client/queries/account-queries';
import { useDeleteTeam, useRemoveMember, useRenameTeam, useTeams } from '@/lib/client/queries/team-queries';
import { TeamInvitationsPanel } from './team-invitations';
import { TeamMailsPanel } from './team-mails';
import { TeamMembersPanel } from './team-members';
import { switchTeam, useHasRole, useTeam } from './use-team';

/** Name and members of the active team, and how to leave it. */
export function TeamPanel() {
  const mayManage = useHasRole('admin');
  return (
    <div className="grid gap-6">
      <TeamName />
      <TeamMailsPanel />
      <TeamMembersPanel />
      {mayManage && <TeamInvitationsPanel />}
      <LeaveTeam />
    </div>
  );
}

function TeamName() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const mayManage = useHasRole('admin');
  const rename = useRenameTeam(team.id);
  const form = useMutationForm({
    mutation: rename,
    fields: ['name'],
    defaultValues: { name: team.name },
  });
  const name = useWatch({ control: form.control, name: 'name' }).trim();
  return (
    <Panel title={t('team')} description={t('description')}>
      <MutationForm
        form={form}
        canSubmit={name !== '' && name !== team.name}
        actions={
          mayManage && (
            <div>
              <SubmitButton>{t('save')}</SubmitButton>
            </div>
          )
        }
        // The page is reloaded, because the name is also outside of the content that this component renders.
        onSubmit={() => rename.mutate(name, { onSuccess: () => window.location.reload() })}
      >
        <Field label={t('name')} error={form.errorOf('name')}>
          {(field) => (
            <Input
              {...field}
              {...form.register('name')}
              maxLength={100}
              autoComplete="off"
              disabled={!mayManage}
            />
          )}
        </Field>
      </MutationForm>
    </Panel>
  );
}

/** Panel for leaving or deleting the team. A personal team cannot be left, because it is deleted with its account. */
function LeaveTeam() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const me = useMe();
  const { data: teams = [] } = useTeams();
  const [leaveAction, setLeaveAction] = useState<'leave' | 'delete' | null>(null);
  const leave = useRemoveMember(team.id);
  const remove = useDeleteTeam(team.id);
  const isOwnTeam = teams.find(({ id }) => id === team.id)?.own ?? true;
  if (isOwnTeam || !me.data) return null;
  const userId = me.data.id;
  // The id of a personal team is the id of its account.
  const callbacks = { onSuccess: () => switchTeam(userId) };
  const confirm = () => {
    if (leaveAction === 'delete') remove.mutate(undefined, callbacks);
    else leave.mutate(userId, callbacks);
  };
  const mutation = leaveAction === 'delete' ? remove : leave;
  return (
    <Panel title={t('leaveTitle')} description={t('leaveText')}>
      <div className="flex flex-wrap gap-3">
        <Button onClick={() => setLeaveAction('leave')}>{t('leave')}</Button>
        {team.role === 'owner' && (
          <Button variant="danger" onClick={() => setLeaveAction('delete')}>
            {t('delete')}
          </Button>
        )}
      </div>
      <ConfirmDialog
        open={leaveAction !== null}
        onOpenChange={(open) => {
          if (!open) setLeaveAction(null);
          leave.reset();
          remove.reset();
        }}
        title={t(leaveAction === 'delete' ? 'deleteAsked' : 'leaveAsked', { name: team.name })}
        {...(leaveAction === 'delete' ? { confirmationWord: t('deleteWord') } : {})}
        confirmLabel={t(leaveAction === 'delete' ? 'delete' : 'leave')}
        pending={mutation.isPending}
        error={errorMessagesOf(mutation.error)[0]}
        onConfirm={confirm}
      >
        {t(leaveAction === 'delete' ? 'deleteLost' : 'leaveLost')}
      </ConfirmDialog>
    </Panel>
  );
}
