'use client';

import { useTranslations } from 'use-intl';
import { shortcutRows } from '@/components/player/input/shortcut-labels';
import { Dialog } from '@/components/ui/overlay/dialog';
import { ShortcutRows } from '@/components/ui/shortcut-rows';
import { useNavigation } from '@/components/shell/use-navigation';
import { healthKey, inputKeys } from './input-keys';

interface ShortcutListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

export default function ShortcutList({ open, onOpenChange }: ShortcutListProps) {
  const t = useTranslations('palette.shortcutList');
  const page = useTranslations('shell.navigation');
  const everywhere = [
    [[t('ctrl'), 'K'], t('openPalette')],
    [['?'], t('showKeyboardShortcuts')],
  ] as const;
  const controlPanel = [
    [[inputKeys.primary], t('askForPrimary')],
    [[inputKeys.standby], t('askForStandby')],
    [[inputKeys.slate], t('askForSlate')],
    [[t('enter')], t('putOnAir')],
    [[healthKey.toUpperCase()], t('showHealth')],
  ] as const;
  const pages = useNavigation()
    .flatMap(({ items }) => items)
    .map(({ key, name }) => [['G', key.toUpperCase()], page(name)] as const);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keyboardShortcuts')}>
      <div className="grid gap-6">
        <Keys title={t('everywhere')} rows={everywhere} />
        <Keys title={t('pages')} rows={pages} />
        <Keys title={t('controlPanel')} rows={controlPanel} />
        <Keys title={t('player')} rows={shortcutRows(useTranslations('player.keys'))} />
      </div>
    </Dialog>
  );
}

function Keys({ title, rows }: { title: string; rows: readonly (readonly [readonly string[], string])[] }) {
  return (
    <section aria-label={title}>
      <h3 className="text-ink-3 mb-1 text-xs font-medium">{title}</h3>
      <ShortcutRows rows={rows} />
    </section>
  );
}
