'use client';

import {
  Camera,
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
import { useDeferredValue, useState } from 'react';
import { toast } from 'sonner';
import { useTranslations } from 'use-intl';
import CommandPaletteDialog, { type PaletteItem, parsePastedId } from '@/components/palette/command-palette';
import { settingsHref, settingsSections } from '@/components/settings/settings-sections';
import { useNavigation } from '@/components/shell/use-navigation';
import { switchTeam, useHasRole, useTeam } from '@/components/teams/use-team';
import { copyText } from '@/components/ui/copy/copy-button';
import { useNavigate } from '@/components/ui/leave-guard';
import { usePublicUrls } from '@/lib/client/queries/public-urls';
import { useTeams } from '@/lib/client/queries/team-queries';
import { useFindById, useFindByName, type SearchResult } from '@/lib/client/queries/find-queries';

interface CommandPaletteProps {
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

/**
 * Command palette of the dashboard: pages, actions, and the streams and assets of the team, which are requested when the
 * palette is first opened.
 */
export default function CommandPalette({ open, onOpenChange, onLogOut, onShortcuts }: CommandPaletteProps) {
  const t = useTranslations('palette.palette');
  const tSections = useTranslations('settings.sections');
  const tNavigation = useTranslations('shell.navigation');
  const goTo = useNavigate();
  const { setTheme } = useTheme();
  const mayChange = useHasRole('developer');
  const [text, setText] = useState('');
  const query = text.trim();
  const deferredQuery = useDeferredValue(query);
  const pastedObjectId = parsePastedId(query);
  const foundById = useFindById(pastedObjectId);
  const foundByName = useFindByName(pastedObjectId ? '' : deferredQuery);
  const newestResults = useFindByName('').data ?? [];
  const copyActions = useCopyActions(withoutDuplicates([...newestResults, ...(foundByName.data ?? [])]));
  const teamActions = useTeamActions();

  const closingHandler = (action: () => void) => () => {
    onOpenChange(false);
    setText('');
    action();
  };
  const openPageHandler = (href: string) => closingHandler(() => goTo(href));
  // Results of an earlier query are filtered, so that Enter can't select an item that does not match.
  const matchesQuery = ({ label }: PaletteItem) =>
    query === '' || label.toLowerCase().includes(query.toLowerCase());
  const itemForResult = (result: SearchResult): PaletteItem => ({
    id: result.id,
    label: result.name || result.id,
    hint: t(`kind.${result.kind}`),
    icon: icons[result.kind],
    onSelect: openPageHandler(result.href),
  });
  const pages = useNavigation()
    .flatMap(({ items }) => items)
    .map(({ href, name, icon, key }) => ({
      id: href,
      label: tNavigation(name),
      icon,
      hint: `G ${key.toUpperCase()}`,
      onSelect: openPageHandler(href),
    }));
  const settings = settingsSections.map(({ section, icon }) => ({
    id: section,
    label: t('settingsSection', { section: tSections(section) }),
    icon,
    onSelect: openPageHandler(settingsHref(section)),
  }));
  const setThemeHandler = (value: string) => closingHandler(() => setTheme(value));
  const newestStream = newestResults.find(({ kind }) => kind === 'Stream');
  const developerActions: PaletteItem[] = [
    {
      id: 'go-live',
      label: newestStream ? t('goLiveWith', { name: newestStream.name }) : t('goLive'),
      icon: RadioTower,
      onSelect: openPageHandler(newestStream?.href ?? '/streams?new=1'),
    },
    ...(newestStream
      ? [
          {
            id: 'go-live-from-browser',
            label: t('goLiveFromBrowser', { name: newestStream.name }),
            icon: Camera,
            // A full page load, because the browser allows the camera only by a header of the response for this page.
            onSelect: closingHandler(() => window.location.assign(`${newestStream.href}/go-live`)),
          },
        ]
      : []),
    { id: 'new-stream', label: t('createStream'), icon: Plus, onSelect: openPageHandler('/streams?new=1') },
    {
      id: 'new-key',
      label: t('createApiKey'),
      icon: KeyRound,
      onSelect: openPageHandler('/developers/keys?new=1'),
    },
  ];
  const actions: PaletteItem[] = [
    ...(mayChange ? developerActions : []),
    // The copy action of every stream and asset would be a long list, so without a query only the first one is shown.
    ...(query ? [...copyActions, ...teamActions] : copyActions.slice(0, 1)).map((action) => ({
      ...action,
      onSelect: closingHandler(action.onSelect),
    })),
    { id: 'light', label: t('themeLight'), icon: Sun, onSelect: setThemeHandler('light') },
    { id: 'dark', label: t('themeDark'), icon: Moon, onSelect: setThemeHandler('dark') },
    { id: 'system', label: t('themeSystem'), icon: SunMoon, onSelect: setThemeHandler('system') },
    {
      id: 'keys',
      label: t('keyboardShortcuts'),
      hint: '?',
      icon: ListChecks,
      onSelect: closingHandler(onShortcuts),
    },
    { id: 'log-out', label: t('logOut'), icon: LogOut, onSelect: closingHandler(onLogOut) },
  ];
  return (
    <CommandPaletteDialog
      open={open}
      onOpenChange={onOpenChange}
      text={text}
      onText={setText}
      searching={foundById.isFetching || foundByName.isFetching || query !== deferredQuery}
      groups={
        pastedObjectId
          ? [{ title: t('withThisId'), items: foundById.data ? [itemForResult(foundById.data)] : [] }]
          : [
              { title: t('pages'), items: [...pages, ...(query ? settings : [])].filter(matchesQuery) },
              {
                title: query ? t('streamsAndAssets') : t('newestStreamsAndAssets'),
                items: (foundByName.data ?? []).map(itemForResult).filter(matchesQuery),
              },
              { title: t('actions'), items: actions.filter(matchesQuery) },
            ]
      }
    />
  );
}

const withoutDuplicates = (results: readonly SearchResult[]): readonly SearchResult[] => [
  ...new Map(results.map((result) => [result.id, result])).values(),
];

/** Actions that copy the playback URL of a stream or asset. */
function useCopyActions(results: readonly SearchResult[]): readonly PaletteItem[] {
  const t = useTranslations('palette.palette');
  const urls = usePublicUrls();
  return results.flatMap(({ id, name, playbackId, playbackUrl }) => {
    const url = playbackId === undefined ? playbackUrl : urls?.playbackUrl(playbackId);
    if (url === undefined) return [];
    const onSelect = () =>
      void copyText(url).then((copied) =>
        copied ? toast.success(t('copied')) : toast.error(t('notCopied')),
      );
    return [{ id: `copy ${id}`, label: t('copyPlaybackUrl', { name }), icon: Copy, onSelect }];
  });
}

/** Actions that switch to another team of the person. */
function useTeamActions(): readonly PaletteItem[] {
  const t = useTranslations('palette.palette');
  const currentTeamId = useTeam().id;
  const { data = [] } = useTeams();
  return data
    .filter(({ id }) => id !== currentTeamId)
    .map(({ id, name }) => ({
      id: `team ${id}`,
      label: t('switchTeam', { name }),
      icon: Users,
      onSelect: () => switchTeam(id),
    }));
}
