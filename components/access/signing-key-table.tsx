'use client';

import { CircleOff, CirclePlay, Copy, Pencil, Trash2 } from 'lucide-react';
import { useTranslations } from 'use-intl';
import type { Translator } from '@/components/i18n/messages';
import { MenuItem, MenuSeparator } from '@/components/ui/overlay/menu';
import { StatusPill } from '@/components/ui/status-pill';
import { type DataColumn, DataTable } from '@/components/ui/table/data-table';
import { RowMenu } from '@/components/ui/table/row-menu';
import { createdColumn } from '@/components/ui/table/list-columns';
import type { SigningKey } from '@/lib/contract/access/signing-key';

export type SigningKeyAction = 'copy' | 'rename' | 'disable' | 'enable' | 'delete';

interface SigningKeyTableProps {
  /** Undefined while loading. */
  keys: readonly SigningKey[] | undefined;
  onAction: (action: SigningKeyAction, key: SigningKey) => void;
}

export function SigningKeyTable({ keys, onAction }: SigningKeyTableProps) {
  const t = useTranslations('access.keyTable');
  return (
    <DataTable
      label={t('label')}
      columns={columnsOf(t)}
      rows={keys}
      nameOf={({ name }) => name}
      placeholderRows={3}
      menu={(key) => <SigningKeyMenu signingKey={key} onAction={(action) => onAction(action, key)} />}
    />
  );
}

const columnsOf = (t: Translator<'access.keyTable'>): readonly DataColumn<SigningKey>[] => [
  {
    head: t('name'),
    skeleton: 'h-4 w-36',
    cell: ({ name }) => <span className="font-medium wrap-anywhere">{name}</span>,
  },
  {
    head: t('status'),
    phone: true,
    width: 'w-32',
    skeleton: 'h-6 w-20 rounded-full',
    cell: ({ disabled }) => (
      <StatusPill tone={disabled ? 'idle' : 'accent'}>{t(disabled ? 'disabled' : 'active')}</StatusPill>
    ),
  },
  {
    head: t('publicKey'),
    skeleton: 'h-4 w-36',
    cell: ({ publicKey }) => (
      <span className="text-ink-2 font-mono text-sm" title={publicKey}>
        {distinctExcerpt(publicKey)}
      </span>
    ),
  },
  { ...createdColumn, head: t('created'), phone: true },
];

/** Excerpt of a public key that differs between keys. It skips the PEM header and footer, which are the same in all. */
const distinctExcerpt = (publicKey: string): string => `…${publicKey.slice(-56, -40)}…`;

function SigningKeyMenu(props: { signingKey: SigningKey; onAction: (action: SigningKeyAction) => void }) {
  const t = useTranslations('access.keyTable');
  const { signingKey, onAction } = props;
  const { name, disabled } = signingKey;
  return (
    <RowMenu name={name}>
      <MenuItem icon={Copy} onSelect={() => onAction('copy')}>
        {t('copyPublicKey')}
      </MenuItem>
      <MenuItem icon={Pencil} onSelect={() => onAction('rename')}>
        {t('rename')}
      </MenuItem>
      <MenuItem
        icon={disabled ? CirclePlay : CircleOff}
        onSelect={() => onAction(disabled ? 'enable' : 'disable')}
      >
        {t(disabled ? 'enable' : 'disable')}
      </MenuItem>
      <MenuSeparator />
      <MenuItem icon={Trash2} danger onSelect={() => onAction('delete')}>
        {t('deleteKey')}
      </MenuItem>
    </RowMenu>
  );
}
