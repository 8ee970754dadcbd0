'use client';

import {
  Copy,
  Film,
  KeyRound,
  ListChecks,
  LogOut,
  Moon,
  Plus,
  Radio,
  RadioTower,
  Share2,
  SquarePlay,
  Sun,
  SunMoon,
  Users,
  Webhook,
} from 'lucide-react';
import { useTheme } from 'next-themes';
import { useRouter } from 'next/navigation';
import { useDeferredValue, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import CommandPalette, { type PaletteItem, pastedId } from '@/components/palette/command-palette';
import { settingsHref, settingsSections } from '@/components/settings/settings-sections';
import { useNavigation } from '@/components/shell/use-navigation';
import { showTeam, useMay, useTeam } from '@/components/teams/use-team';
import { copyText } from '@/components/ui/copy/copy-button';
import { useAddresses } from '@/lib/client/queries/addresses';
import { useTeams } from '@/lib/client/queries/team-queries';
import { useFindById, useFindByName, type Found } from '@/lib/client/queries/find-queries';

interface PaletteProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  onLogOut: () => void;
  onShortcuts: () => void;
}

const icons = {
  Stream: Radio,
  Session: SquarePlay,
  Asset: Film,
  Task: ListChecks,
  Webhook,
  Target: Share2,
} as const;

/** The command palette with the streams and assets of the team, requested when it is first opened. */
export default function Palette({ open, onOpenChange, onLogOut, onShortcuts }: PaletteProps) {
  const t = useTranslations('palette.palette');
  const sections = useTranslations('settings.sections');
  const page = useTranslations('shell.navigation');
  const router = useRouter();
  const { setTheme } = useTheme();
  const mayChange = useMay('developer');
  const [text, setText] = useState('');
  const query = text.trim();
  const deferredQuery = useDeferredValue(query);
  const reference = pastedId(query);
  const byId = useFindById(reference);
  const byName = useFindByName(reference ? '' : deferredQuery);
  const newest = useFindByName('').data ?? [];
  const copies = useCopyActions(unique([...newest, ...(byName.data ?? [])]));
  const teams = useTeamActions();

  const close = (action: () => void) => () => {
    onOpenChange(false);
    setText('');
    action();
  };
  const go = (href: string) => close(() => router.push(href));
  // Results of an earlier query are filtered, so that Enter never selects a line that does not match.
  const fits = ({ label }: PaletteItem) => query === '' || label.toLowerCase().includes(query.toLowerCase());
  const lineOf = (result: Found): PaletteItem => ({
    id: result.id,
    label: result.name || result.id,
    note: t(`kind.${result.kind}`),
    icon: icons[result.kind],
    run: go(result.href),
  });
  const pages = useNavigation()
    .flatMap(({ items }) => items)
    .map(({ href, name, icon, key }) => ({
      id: href,
      label: page(name),
      icon,
      note: `G ${key.toUpperCase()}`,
      run: go(href),
    }));
  const settings = settingsSections.map(({ section, icon }) => ({
    id: section,
    label: t('settingsSection', { section: sections(section) }),
    icon,
    run: go(settingsHref(section)),
  }));
  const theme = (value: string) => close(() => setTheme(value));
  const stream = newest.find(({ kind }) => kind === 'Stream');
  const changes: PaletteItem[] = [
    {
      id: 'go-live',
      label: stream ? t('goLiveWith', { name: stream.name }) : t('goLive'),
      icon: RadioTower,
      run: go(stream?.href ?? '/streams?new=1'),
    },
    { id: 'new-stream', label: t('createStream'), icon: Plus, run: go('/streams?new=1') },
    { id: 'new-key', label: t('createApiKey'), icon: KeyRound, run: go('/developers/keys?new=1') },
  ];
  const actions: PaletteItem[] = [
    ...(mayChange ? changes : []),
    // The full list is useful only to someone who searches.
    ...(query ? [...copies, ...teams] : copies.slice(0, 1)).map((each) => ({
      ...each,
      run: close(each.run),
    })),
    { id: 'light', label: t('themeLight'), icon: Sun, run: theme('light') },
    { id: 'dark', label: t('themeDark'), icon: Moon, run: theme('dark') },
    { id: 'system', label: t('themeSystem'), icon: SunMoon, run: theme('system') },
    { id: 'keys', label: t('keyboardShortcuts'), note: '?', icon: ListChecks, run: close(onShortcuts) },
    { id: 'log-out', label: t('logOut'), icon: LogOut, run: close(onLogOut) },
  ];
  return (
    <CommandPalette
      open={open}
      onOpenChange={onOpenChange}
      text={text}
      onText={setText}
      searching={byId.isFetching || byName.isFetching || query !== deferredQuery}
      groups={
        reference
          ? [{ title: t('withThisId'), items: byId.data ? [lineOf(byId.data)] : [] }]
          : [
              { title: t('pages'), items: [...pages, ...(query ? settings : [])].filter(fits) },
              {
                title: query ? t('streamsAndAssets') : t('newestStreamsAndAssets'),
                items: (byName.data ?? []).map(lineOf).filter(fits),
              },
              { title: t('actions'), items: actions.filter(fits) },
            ]
      }
    />
  );
}

const unique = (results: readonly Found[]): readonly Found[] => [
  ...new Map(results.map((each) => [each.id, each])).values(),
];

/** Actions that copy the playback URL of a stream or asset. */
function useCopyActions(results: readonly Found[]): readonly PaletteItem[] {
  const t = useTranslations('palette.palette');
  const addresses = useAddresses();
  return results.flatMap(({ id, name, playbackId, playbackUrl }) => {
    const url = playbackId === undefined ? playbackUrl : addresses?.playbackUrl(playbackId);
    if (url === undefined) return [];
    const run = () =>
      void copyText(url).then((copied) =>
        copied ? toast.success(t('copied')) : toast.error(t('notCopied')),
      );
    return [{ id: `copy ${id}`, label: t('copyPlaybackUrl', { name }), icon: Copy, run }];
  });
}

/** Actions that switch to another team of the person. */
function useTeamActions(): readonly PaletteItem[] {
  const t = useTranslations('palette.palette');
  const current = useTeam().id;
  const { data = [] } = useTeams();
  return data
    .filter(({ id }) => id !== current)
    .map(({ id, name }) => ({
      id: `team ${id}`,
      label: t('switchTeam', { name }),
      icon: Users,
      run: () => showTeam(id),
    }));
}
