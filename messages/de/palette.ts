import type { Translated } from '../catalogue';

export const palette: Translated<'palette'> = {
  palette: {
    kind: {
      Stream: 'Stream',
      Session: 'Session',
      Asset: 'Asset',
      Task: 'Aufgabe',
      Webhook: 'Webhook',
      Target: 'Ziel',
    },
    settingsSection: 'Einstellungen: {section}',
    createStream: 'Stream erstellen',
    createApiKey: 'API-Schlüssel erstellen',
    themeLight: 'Design: hell',
    themeDark: 'Design: dunkel',
    themeSystem: 'Design: wie das System',
    keyboardShortcuts: 'Tastenkürzel',
    logOut: 'Abmelden',
    withThisId: 'Mit dieser ID',
    pages: 'Seiten',
    streamsAndAssets: 'Streams und Assets',
    newestStreamsAndAssets: 'Neueste Streams und Assets',
    actions: 'Aktionen',
  },
  commandPalette: {
    searchAndCommands: 'Suche und Befehle',
    placeholder: 'Seiten, Streams, Assets, IDs und Befehle suchen',
    searching: 'Suche läuft …',
    noResults: 'Nichts gefunden für „{text}“',
  },
  shortcutList: {
    keyboardShortcuts: 'Tastenkürzel',
    everywhere: 'Überall',
    ctrl: 'Strg',
    openPalette: 'Suchen und Befehle ausführen (⌘ K auf dem Mac)',
    showKeyboardShortcuts: 'Tastenkürzel anzeigen',
    pages: 'Seiten',
    player: 'Player',
  },
};
