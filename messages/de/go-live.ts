import type { Translated } from '../catalogue';

export const goLive: Translated<'goLive'> = {
  meta: { title: 'Live gehen' },
  page: {
    title: 'Live gehen: {name}',
    back: 'Stream',
    watchPage: 'Zuschauerseite',
    liveFor: 'Live seit {time}',
    goLive: 'Live gehen',
    cancel: 'Abbrechen',
    endStream: 'Stream beenden',
  },
  state: {
    idle: 'Nicht live',
    requesting: 'Wartet auf Erlaubnis',
    previewing: 'Vorschau',
    connecting: 'Verbindet',
    live: 'Live',
    reconnecting: 'Verbindet erneut',
    ended: 'Beendet',
  },
  unavailable: {
    off: 'WebRTC ist auf diesem Server ausgeschaltet',
    offText:
      'Live gehen aus dem Browser braucht WebRTC. Der Betreiber schaltet es ein, indem er RTC_PORT auf einen UDP-Port setzt, der aus dem Internet erreichbar ist.',
    insecure: 'Diese Seite braucht HTTPS',
    insecureText:
      'Browser erlauben Kamera, Bildschirm und Mikrofon nur auf Seiten mit HTTPS und auf localhost. Öffnen Sie das Dashboard unter einer Adresse, die mit https:// beginnt.',
    unsupported: 'Mit diesem Browser können Sie nicht live gehen',
    unsupportedText:
      'Er hat kein WebRTC, oder eine Richtlinie seines Administrators schaltet Kameras ab. Verwenden Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari.',
    noKey: 'Mit Ihrer Rolle können Sie nicht auf diesem Stream senden',
    noKeyText: 'Dafür ist der Stream-Schlüssel nötig, den Entwickler, Admins und Inhaber des Teams sehen.',
    toStream: 'Stream öffnen',
  },
  preview: {
    label: 'Vorschau',
    start: 'Zeigen Sie Ihre Kamera oder einen Bildschirm',
    startText: 'Ihr Browser fragt um Erlaubnis. Gesendet wird erst, wenn Sie live gehen.',
    useCamera: 'Kamera und Mikrofon verwenden',
    shareScreen: 'Bildschirm teilen',
    requesting: 'Erlauben Sie den Zugriff im Dialog Ihres Browsers.',
    videoOff: 'Bild aus. Zuschauer sehen Schwarz.',
    noVideo: 'Kein Bild. Zuschauer hören Sie nur.',
    ended: 'Der Stream ist beendet',
    endedAfter: 'Er war {time} live.',
    toSessions: 'Aufnahmen',
    toStream: 'Stream öffnen',
    again: 'Erneut live gehen',
  },
  controls: {
    label: 'Steuerung',
    videoOff: 'Bild ausschalten',
    videoOn: 'Bild einschalten',
    audioOff: 'Ton ausschalten',
    audioOn: 'Ton einschalten',
    switchCamera: 'Kamera wechseln',
    useCamera: 'Kamera verwenden',
    shareScreen: 'Bildschirm teilen',
    shareAnother: 'Anderen Bildschirm teilen',
    confirmEnd: 'Stream für alle Zuschauer beenden?',
    endNow: 'Jetzt beenden',
    keepStreaming: 'Weiter senden',
    alreadyLive: 'Ein anderer Encoder ist live. Beenden Sie ihn, bevor Sie hier live gehen.',
    suspended: 'Der Stream ist gesperrt. Geben Sie ihn in seinen Einstellungen frei.',
  },
  meter: {
    label: 'Mikrofonpegel',
    decibels: '{value, number} dB',
    tooLoud: 'Zu laut',
    muted: 'Stumm',
    none: 'Kein Mikrofon',
  },
  sources: {
    title: 'Quellen',
    camera: 'Kamera',
    cameraNumber: 'Kamera {number, number}',
    microphone: 'Mikrofon',
    microphoneNumber: 'Mikrofon {number, number}',
    noMicrophone: 'Keines',
    notChosen: 'Nicht gewählt',
    screenSound: 'Der Ton des Bildschirms wird mit dem Mikrofon gemischt.',
    noScreenSound:
      'Der Bildschirm wird ohne Ton geteilt. Teilen Sie ihn erneut und schalten Sie im Dialog des Browsers den Ton ein, um ihn mitzusenden.',
    echoCancellation: 'Echounterdrückung',
    echoText: 'Entfernt den Ton Ihrer Lautsprecher.',
    noiseSuppression: 'Rauschunterdrückung',
    noiseText: 'Entfernt Lüfter und Tastaturen. Schalten Sie sie für Musik aus.',
  },
  quality: {
    title: 'Qualität',
    size: 'Auflösung',
    frameRate: 'Bildrate',
    frames: '{rate, number} fps',
    bitrate: 'Höchste Bitrate',
    priority: 'Bei langsamem Netz',
    sharpness: 'Scharfes Bild',
    motion: 'Flüssiges Bild',
    priorityText: 'Was bleibt, wenn die Verbindung nicht das ganze Bild überträgt.',
    layers: 'Gesendete Größen',
    layersText:
      'Zuschauer mit langsamer Verbindung bekommen eine kleinere Größe, ohne Transcodierung. Kleinere Größen brauchen zusätzlich bis zur Hälfte der Bitrate.',
  },
  figures: {
    title: 'Sendung',
    bitrate: 'Bitrate',
    lost: 'Verlorene Pakete',
    roundTrip: 'Umlaufzeit',
    picture: 'Bild',
    milliseconds: '{value, number} ms',
    pictureValue: '{width} × {height}, {rate, number} fps',
    fine: 'Wird in voller Qualität gesendet.',
    packets_lost:
      'Unterwegs gehen Pakete verloren. Gehen Sie näher an den WLAN-Router, nehmen Sie ein Kabel oder senken Sie die höchste Bitrate.',
    connection_slow:
      'Ihre Verbindung begrenzt die Bildqualität. Senken Sie die höchste Bitrate oder die Auflösung.',
    device_slow:
      'Dieses Gerät ist zu langsam für das Bild. Wählen Sie eine niedrigere Auflösung oder 30 fps.',
  },
  problem: {
    permission_denied:
      'Der Zugriff wurde nicht erlaubt. Erlauben Sie ihn in den Website-Einstellungen Ihres Browsers und versuchen Sie es erneut.',
    screen_denied:
      'Es wurde kein Bildschirm geteilt. Wählen Sie einen im Dialog Ihres Browsers. Erlauben Sie auf einem Mac auch in den Systemeinstellungen die Bildschirmaufnahme.',
    no_device: 'Kein solches Gerät gefunden. Schließen Sie es an und versuchen Sie es erneut.',
    device_in_use:
      'Ein anderes Programm verwendet das Gerät. Schließen Sie es dort und versuchen Sie es erneut.',
    not_supported:
      'Dieser Browser kann das nicht. Verwenden Sie eine aktuelle Version von Chrome, Edge, Firefox oder Safari.',
    capture_failed:
      'Das Gerät konnte nicht geöffnet werden. Schließen Sie es neu an und versuchen Sie es erneut.',
    screen_ended:
      'Der Bildschirm wird nicht mehr geteilt. Teilen Sie ihn erneut oder verwenden Sie die Kamera.',
    camera_ended: 'Die Kamera wurde getrennt. Wählen Sie eine andere oder teilen Sie einen Bildschirm.',
    microphone_ended: 'Das Mikrofon wurde getrennt. Wählen Sie ein anderes.',
    unreachable:
      'Der Medienserver hat nicht geantwortet. Prüfen Sie Ihre Verbindung und versuchen Sie es erneut.',
    rejected:
      'Der Server hat den Stream nicht angenommen. Vielleicht wurde der Stream-Schlüssel ersetzt: Laden Sie die Seite neu. Die Ereignisse des Streams können den Grund nennen.',
    no_codec:
      'Dieser Browser sendet kein Videoformat, das der Server annimmt. Verwenden Sie einen mit H.264.',
    busy: 'Der Server nimmt gerade keine Verbindung an. Versuchen Sie es gleich noch einmal.',
    no_media_path:
      'Der Server hat geantwortet, aber Bild und Ton kommen nicht durch. Der Verbindungstest zeigt, welcher Port geschlossen ist.',
    server_error:
      'Der Server konnte den Stream nicht annehmen. Versuchen Sie es erneut und sagen Sie es dem Betreiber, wenn es dabei bleibt.',
    lost: 'Die Verbindung ging verloren.',
    reconnecting:
      'Die Verbindung ging verloren und wird erneut hergestellt. Zuschauer warten oder sehen das Standbild, wenn der Stream eines hat.',
    gaveUp: 'Die Verbindung konnte nicht wiederhergestellt werden. Der Stream ist hier beendet.',
  },
  test: {
    title: 'Verbindungstest',
    text: 'Prüft, ob Bild und Ton von diesem Browser zum Server kommen. Zuschauer sehen davon nichts.',
    run: 'Verbindung testen',
    running: 'Die Verbindung wird getestet',
    whileLive: 'Der Test ist möglich, solange der Stream nicht live ist.',
  },
};
