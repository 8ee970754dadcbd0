'use client';

import { usePathname } from 'next/navigation';
import { useTranslations } from 'use-intl';
import { shortcutRows } from '@/components/player/input/shortcut-labels';
import { Dialog } from '@/components/ui/overlay/dialog';
import { ShortcutRows } from '@/components/ui/shortcut-rows';
import { useNavigation } from '@/components/shell/use-navigation';
import { type KeyGroup, clipKeys, healthKey, inputKeys, keyGroupsOf, problemKeys } from './page-keys';

interface ShortcutListProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

type ShortcutRowList = readonly (readonly [keys: readonly string[], description: string])[];

/** Lists the keys of the current page, then those of every page. */
export default function ShortcutList({ open, onOpenChange }: ShortcutListProps) {
  const t = useTranslations('palette.shortcutList');
  const tNavigation = useTranslations('shell.navigation');
  const path = usePathname();
  const rowsByGroup = useRowsByGroup();
  const globalRows = [
    [[t('ctrl'), 'K'], t('openPalette')],
    [['?'], t('showKeyboardShortcuts')],
  ] as const;
  const pageRows = useNavigation()
    .flatMap(({ items }) => items)
    .map(({ key, name }) => [['G', key.toUpperCase()], tNavigation(name)] as const);
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title={t('keyboardShortcuts')}>
      <div className="grid gap-6">
        {keyGroupsOf(path).map((group) => (
          <KeySection key={group} title={t(group)} rows={rowsByGroup[group]} />
        ))}
        <KeySection title={t('everywhere')} rows={globalRows} />
        <KeySection title={t('pages')} rows={pageRows} />
      </div>
    </Dialog>
  );
}

function useRowsByGroup(): Readonly<Record<KeyGroup, ShortcutRowList>> {
  const t = useTranslations('palette.shortcutList');
  const tKeys = useTranslations('player.keys');
  const [{ next, previous, dismiss }, { open, start, end }] = [problemKeys, clipKeys];
  const clipEditor: ShortcutRowList = [
    [[start.toUpperCase()], t('startClip')],
    [[end.toUpperCase()], t('endClip')],
  ];
  return {
    problems: [
      [[next.toUpperCase(), previous.toUpperCase()], t('nextProblem')],
      [[t('enter')], t('openProblem')],
      [[dismiss.toUpperCase()], t('dismissProblem')],
    ],
    controlPanel: [
      [[inputKeys.primary], t('askForPrimary')],
      [[inputKeys.standby], t('askForStandby')],
      [[inputKeys.slate], t('askForSlate')],
      [[t('enter')], t('putOnAir')],
      [[healthKey.toUpperCase()], t('showHealth')],
    ],
    clip: [[[open.toUpperCase()], t('openClip')], ...clipEditor],
    clipEditor,
    audience: [[['←', '→'], t('nextIncident')]],
    player: shortcutRows(tKeys),
  };
}

function KeySection({ title, rows }: { title: string; rows: ShortcutRowList }) {
  return (
    <section aria-label={title}>
      <h3 className="text-ink-3 mb-1 text-xs font-medium">{title}</h3>
      <ShortcutRows rows={rows} />
    </section>
  );
}
