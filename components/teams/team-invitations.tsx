'use client';

import { LinkDialog } from '@/components/ui/copy/link-dialog';
import { MutationForm } from '@/components/ui/form/mutation-form';
import { type FormMutation, useMutationForm } from '@/components/ui/form/use-mutation-form';
import { Ban, ChevronDown } from 'lucide-react';
import { Controller, useWatch } from 'react-hook-form';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import { Button } from '@/components/ui/button';
import { Field, Input } from '@/components/ui/form/field';
import { Menu, MenuRadioGroup, MenuItem } from '@/components/ui/overlay/menu';
import { Panel } from '@/components/ui/panel';
import { CalendarDate } from '@/components/ui/relative-time';
import { DataTable } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { errorMessagesOf } from '@/lib/client/call';
import {
  useInviteToTeam,
  useRevokeTeamInvitation,
  useTeamInvitations,
} from '@/lib/client/queries/team-queries';
import type { TeamInvitation } from '@/lib/contract/accounts/team-invitation';
import { isAtLeast, teamRoles, type TeamRole } from '@/lib/core/access/team-roles';
import { useHasRole, useTeam } from './use-team';
import { useTeamColumns } from './use-team-columns';

/** Invitation links to the team, which admins can create and revoke. */
export function TeamInvitationsPanel() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const { data: invitations } = useTeamInvitations(team.id, useHasRole('admin'));
  const revoke = useRevokeTeamInvitation(team.id);
  const columns = useTeamColumns<TeamInvitation>(t('expires'), ({ expiresAt }) => (
    <CalendarDate at={expiresAt} />
  ));
  const revokeInvitation = ({ id }: TeamInvitation) =>
    revoke.mutate(id, {
      onSuccess: () => void toast.success(t('revoked')),
      onError: (error) =>
        void toast.error(t('notRevoked'), { description: errorMessagesOf(error).join(' ') }),
    });
  return (
    <Panel title={t('invitations')} description={t('invitationsText')} action={<InviteDialog />}>
      {invitations?.length === 0 ? (
        <p className="text-ink-3">{t('noInvitations')}</p>
      ) : (
        <DataTable
          label={t('invitations')}
          columns={columns}
          rows={invitations}
          nameOf={({ email }) => email}
          menu={(invitation) => (
            <RowMenu name={invitation.email}>
              <MenuItem icon={Ban} danger onSelect={() => revokeInvitation(invitation)}>
                {t('revoke')}
              </MenuItem>
            </RowMenu>
          )}
          placeholderRows={1}
        />
      )}
    </Panel>
  );
}

/** Dialog that creates an invitation and then shows its link. */
function InviteDialog() {
  const t = useTranslations('settings.team');
  const team = useTeam();
  const invite = useInviteToTeam(team.id);
  return (
    <LinkDialog
      creation={invite}
      title={t('invite')}
      description={t('inviteText')}
      created={{
        title: t('invited'),
        description: t(invite.data?.mailed ? 'mailed' : 'passItOn'),
        label: t('link'),
      }}
      doneLabel={t('done')}
    >
      {(close) => (
        <InviteForm mutation={invite} onCancel={close} onSubmit={(input) => invite.mutate(input)} />
      )}
    </LinkDialog>
  );
}

interface InviteFormProps {
  mutation: FormMutation;
  onCancel: () => void;
  onSubmit: (input: { email: string; role: TeamRole }) => void;
}

function InviteForm({ mutation, onCancel, onSubmit }: InviteFormProps) {
  const t = useTranslations('settings.team');
  const form = useMutationForm({
    mutation,
    fields: ['email'],
    defaultValues: { email: '', role: 'developer' as TeamRole },
  });
  const email = useWatch({ control: form.control, name: 'email' }).trim();
  return (
    <MutationForm
      form={form}
      submitLabel={t('createLink')}
      canSubmit={email !== ''}
      secondary={<Button onClick={onCancel}>{t('cancel')}</Button>}
      onSubmit={({ role }) => onSubmit({ email, role })}
    >
      <Field label={t('email')} error={form.errorOf('email')}>
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
      <Controller
        control={form.control}
        name="role"
        render={({ field }) => <RoleField role={field.value} onChange={field.onChange} />}
      />
    </MutationForm>
  );
}

/** Choice of the role of the invited person, which is at most the role of the signed-in member. */
function RoleField({ role, onChange }: { role: TeamRole; onChange: (role: TeamRole) => void }) {
  const t = useTranslations('settings.team');
  const tTeamRoles = useTranslations('settings.teamRoles');
  const team = useTeam();
  const offeredRoles = teamRoles.filter((candidate) => isAtLeast(team.role, candidate));
  return (
    <div role="group" aria-label={t('role')} className="grid gap-1.5">
      <div className="text-sm font-medium">{t('role')}</div>
      <Menu
        align="start"
        trigger={
          <Button className="w-fit" aria-label={t('roleIs', { role: tTeamRoles(role) })}>
            {tTeamRoles(role)}
            <ChevronDown aria-hidden="true" />
          </Button>
        }
      >
        <MenuRadioGroup
          label={t('role')}
          value={role}
          options={offeredRoles.map((value) => ({ value, label: tTeamRoles(value) }))}
          onChange={(value) => onChange(teamRoles.find((candidate) => candidate === value) ?? role)}
        />
      </Menu>
      <p className="text-ink-3 text-sm">{t(`roleText.${role}`)}</p>
    </div>
  );
}
