import type { streams as english } from '@/lib/core/reasons/messages/streams';

export const streams: Readonly<Record<keyof typeof english, string>> = {
  hint: 'Hinweis: {reason}',
  reconnecting:
    'Neue Verbindung: Die Verbindung zum Encoder ging verloren. Der Stream endet, wenn sie nicht zurückkommt',
  slate_on_air: 'Der Encoder sendet nicht. Das Standbild ist seit {time} auf Sendung.',
  slate_by_hand: 'Das Standbild ist seit {time} auf Sendung. Es wurde manuell gewählt.',
  standby_elsewhere:
    'Ein anderer Encoder sendet auf einem anderen Server an diesen Stream: Ein Reserveencoder muss denselben verwenden',
  no_picture: 'Kein Bild, nur Ton: Prüfen Sie die Videoquelle des Encoders',
  audio_stopped: 'Der Ton hat aufgehört: Prüfen Sie die Audioquelle des Encoders',
  no_audio:
    'Der Encoder sendet keinen Ton. Fügen Sie eine Audioquelle hinzu, auch eine stille: Manche Player und Plattformen brauchen sie',
  hevc_alone:
    'Der Encoder sendet HEVC. Safari spielt es ab, Chrome, Edge und Firefox nur auf manchen Geräten: Fügen Sie eine Qualitätsstufe hinzu, damit die übrigen H.264 bekommen',
  av1_alone:
    'Der Encoder sendet AV1. Chrome, Edge und Firefox spielen es ab, Safari nur auf neueren Geräten: Fügen Sie eine Qualitätsstufe hinzu, damit die übrigen H.264 bekommen',
  slow_source:
    'Das Video kommt nur mit {share} der Echtzeit an: Senken Sie die Bitrate im Encoder oder prüfen Sie, ob dessen CPU oder das Netz überlastet ist',
  slow_transcoding:
    'Die Transcodierung läuft nur mit {share} der Echtzeit: Dieser Rechner ist zu langsam. Verwenden Sie weniger oder kleinere Qualitätsstufen',
  keyframes_too_rare:
    'Keyframes nur alle {seconds} s: Stellen Sie in OBS das Keyframe-Intervall auf 2 s (ffmpeg: -g mit der doppelten Bildrate). Bis dahin beginnt die Wiedergabe bei Zuschauern spät',
  keyframes_too_frequent:
    'Keyframes alle {seconds} s: Stellen Sie in OBS das Keyframe-Intervall auf 2 s. Häufige Keyframes verringern die Qualität bei gleicher Bitrate',
  bitrate_swings:
    'Die Bitrate schwankt stark: Stellen Sie im Encoder eine konstante Bitrate (CBR) ein, niedriger als die Upload-Geschwindigkeit Ihrer Leitung',
  low_bitrate:
    'Zu wenige Bits für diese Bildgröße, sodass das Bild grob aussehen kann: Erhöhen Sie die Bitrate etwa auf das {factor}-Fache oder senden Sie ein kleineres Bild',
  b_frames: 'B-Frames verzögern das Video um {seconds} s: Stellen Sie im Encoder höchstens 2 B-Frames ein',
  b_frames_with_wrong_times:
    'B-Frames haben falsche Anzeigezeiten, deshalb erscheinen Bilder in falscher Reihenfolge. Stellen Sie im Encoder 0 B-Frames ein',
  webrtc_b_frames:
    'WebRTC kann keine B-Frames abspielen: Stellen Sie im Encoder 0 B-Frames ein, sonst bekommen Zuschauer HLS',
  webrtc_no_sound:
    'Zuschauer über WebRTC hören nichts, weil sich der Ton nicht als Opus codieren ließ: {details}',
  timestamps_jumped_once:
    'Die Zeitstempel sprangen einmal innerhalb einer Minute: Zuschauer können das bemerken. Starten Sie den Encoder neu und geben Sie Dateien in einer Schleife neue Zeitstempel',
  timestamps_jumped:
    'Die Zeitstempel sprangen {count}-mal innerhalb einer Minute: Zuschauer können das bemerken. Starten Sie den Encoder neu und geben Sie Dateien in einer Schleife neue Zeitstempel',
  drift:
    'Ton und Bild laufen auseinander, bisher um {seconds} s: Verwenden Sie im Encoder dieselbe Uhr für beide und starten Sie ihn neu',
  no_keyframe: 'Seit {seconds} s kein Keyframe: Stellen Sie im Encoder das Keyframe-Intervall auf 2 s',
  cut_without_keyframe: 'Ein Segment musste ohne Keyframe geschnitten werden',
  late_picture:
    'Das Bild kam erst nach dem Ton. Player mussten deshalb neu starten. Schalten Sie die Videoquelle vor dem Stream ein',
  audio_timestamps: 'Die Zeitstempel des Tons passen nicht zum Video. Teile des Tons wurden verworfen',
  timeline_restarts: 'Die Zeitstempel sprangen. Die Zeitachse beginnt neu',
  rendition_larger_than_source: 'Die Qualitätsstufe „{name}“ ({size}) entfällt: Die Quelle hat nur {source}',
  renditions_need_video: 'Qualitätsstufen brauchen ein Bild. Der Encoder sendet nur Ton',
  rendition_paused: 'Die Qualitätsstufe „{name}“ pausiert: {reason}. Sie wird später noch einmal versucht',
  rendition_over_quota: 'Die Qualitätsstufe „{name}“ entfällt: Das Kontingent erlaubt {limit} pro Stream',
  machine_too_slow: 'Dieser Rechner ist dafür zu langsam',
  capacity_taken: 'Andere Streams belegen die Rechenleistung',
  transcoding_restarts: 'Die Transcodierung ist fehlgeschlagen und beginnt neu: {details}',
  rendition_not_recorded:
    'Die Qualitätsstufe „{name}“ aus recordingSpec wird nicht aufgenommen: Der Stream hat keine mit diesem Namen.',
  recording_stopped: 'Die Aufnahme wurde beendet: {reason}',
  dvr_stopped: 'Das Zurückspulen wurde beendet: {reason}',
  recording_next_session: 'Die Aufnahme wurde eingeschaltet und beginnt mit der nächsten Session.',
  recording_to_its_end: 'Die Aufnahme wurde ausgeschaltet. Diese Session wird bis zu ihrem Ende aufgenommen.',
  session_not_recorded: 'Die Session wird nicht aufgenommen. {reason}',
  no_dvr: 'Zuschauer können nicht zurückspulen (dvrSeconds). {reason}',
  disk_almost_full: 'Der Speicher ist fast voll.',
  disk_full: 'Der Speicher ist voll.',
  segments_not_written: 'Die Segmente konnten nicht gespeichert werden.',
  recording_not_imported: 'Die Aufnahme konnte nicht importiert werden.',
  recording_files_not_made: 'Die Dateien der Aufnahme konnten nicht erstellt werden.',
  recording_nothing_stored: 'Von der Aufnahme wurde nichts gespeichert.',
  recording_no_room: 'Für die MP4-Datei der Aufnahme ist kein Speicherplatz frei.',
  recording_mp4_incomplete: 'Die MP4-Datei der Aufnahme wurde nicht vollständig gespeichert.',
  recording_failed: 'Die Aufnahme ist fehlgeschlagen',
  task_failed: 'Die Aufgabe ist fehlgeschlagen',
  target_not_reached: 'Das Ziel war nicht erreichbar',
  video_has_problem: 'Das ankommende Video hat ein Problem',
  encoder_rejected: 'Ein Encoder wurde abgewiesen',
  unknown_key:
    'Ein Encoder hat einen Schlüssel versucht, der sich vom Schlüssel dieses Streams in einem Zeichen unterscheidet. Kopieren Sie den Schlüssel noch einmal',
  srt_passphrase_different:
    'Die SRT-Passphrase des Encoders ist nicht die dieses Streams. Kopieren Sie sie noch einmal',
  srt_passphrase_missing:
    'Der Encoder verschlüsselt nicht. Tragen Sie die SRT-Passphrase dieses Streams in ihm ein',
  srt_passphrase_unexpected:
    'Der Encoder verschlüsselt, aber dieser Stream hat keine SRT-Passphrase. Legen Sie eine fest, oder entfernen Sie sie aus dem Encoder',
  webrtc_unreachable:
    'Am UDP-Port {port} kamen keine WebRTC-Medien an. Öffnen Sie diesen Port, oder verwenden Sie ein Netz, das UDP nicht sperrt',
  another_encoder: 'Ein anderer Encoder sendet an diesen Stream',
  server_draining: 'Der Server geht außer Betrieb. Verbinden Sie neu, um einen anderen zu erreichen',
  stream_suspended: 'Der Stream ist gesperrt',
  server_max_streams: 'Der Server hat seine Grenze von {limit} Streams erreicht',
  server_overloaded:
    'Der Server ist überlastet und verarbeitet Streams um Sekunden verspätet. Versuchen Sie es später noch einmal',
  server_no_memory: 'Der Server hat keinen freien Arbeitsspeicher. Versuchen Sie es später noch einmal',
  child_not_publishable: 'An das Objekt einer Session kann nicht gesendet werden',
  encoder_publishing: 'Ein Encoder sendet an diesen Stream',
  session_without_poster: 'Eine Session eines Streams hat kein Vorschaubild',
  session_not_terminable: 'Eine Session kann nicht beendet werden',
  session_not_changeable: 'Eine Session kann nicht geändert werden',
  session_not_settable: 'Das kann für eine Session nicht geändert werden',
  session_not_switchable: 'Für eine Session kann keine Quelle gewählt werden',
  stream_not_live: 'Der Stream ist nicht live',
  slate_is_off: 'Das Standbild dieses Streams ist aus: Schalten Sie es mit slate: true ein',
  primary_not_connected: 'Der Hauptencoder ist nicht verbunden',
  standby_not_connected: 'Kein Reserveencoder ist verbunden',
  no_backup_key: 'Der Stream hat keinen Reserveschlüssel: Erzeugen Sie einen mit backup: true',
  session_without_slate: 'Eine Session hat kein Standbild',
  session_without_key: 'Eine Session hat keinen Stream-Schlüssel',
  too_many_terminates: 'Der Stream wurde zu oft getrennt. Versuchen Sie es gleich noch einmal',
  target_sending:
    'Der Stream {name} sendet gerade an dieses Ziel. Ein Test könnte ihn unterbrechen. Testen Sie noch einmal, wenn der Stream beendet ist',
  target_connecting:
    'Der Stream {name} verbindet sich gerade mit diesem Ziel. Ein Test könnte ihn unterbrechen. Testen Sie noch einmal, wenn der Stream beendet ist',
  test_running: 'Ein anderer Test eines Ziels läuft. Versuchen Sie es noch einmal, wenn er beendet ist',
  tests_unavailable: 'Ziele können gerade nicht getestet werden. Versuchen Sie es noch einmal',
  pull_no_public_address:
    'Abruf: {host} hat keine öffentliche Adresse. Prüfen Sie den Hostnamen in der URL oder bitten Sie den Betreiber des Servers, die Adresse zuzulassen.',
  pull_not_public:
    'Abruf: {host} ist keine öffentliche Adresse, deshalb wird nichts von dort abgerufen. Verwenden Sie eine öffentliche Adresse oder bitten Sie den Betreiber des Servers, diese zuzulassen.',
  pull_refused_connection:
    'Abruf: {host} hat die Verbindung an Port {port} abgelehnt. Prüfen Sie den Port und ob die Quelle läuft.',
  pull_silent:
    'Abruf: {host} hat an Port {port} nicht rechtzeitig geantwortet. Prüfen Sie den Host, den Port und die Firewall der Quelle.',
  pull_no_tls:
    'Abruf: {host} hat an Port {port} keine TLS-Verbindung angenommen. Prüfen Sie den Port und das Zertifikat der Quelle.',
  pull_own_ingest:
    'Abruf: {host} ist die Adresse, an der dieser Dienst Streams empfängt. Dort lässt sich nichts abrufen. Verwenden Sie die Wiedergabeadresse eines Streams.',
  pull_rejected:
    'Abruf: {host} hat die Anfrage abgewiesen. Prüfen Sie Schlüssel, Benutzername und Passwort in der URL und die Header.',
  pull_rejected_because:
    'Abruf: {host} hat die Anfrage abgewiesen ({details}). Prüfen Sie Schlüssel, Benutzername und Passwort in der URL und die Header.',
  pull_not_there:
    'Abruf: {host} hat unter dieser Adresse nichts. Prüfen Sie den Pfad der URL und ob die Quelle live ist.',
  pull_redirected: 'Abruf: {host} verweist auf einen anderen Server. Verwenden Sie dessen Adresse.',
  pull_no_media:
    'Abruf: {host} hat an Port {port} geantwortet, sendet aber weder Bild noch Ton. Prüfen Sie, ob die Quelle live ist.',
  pull_not_readable:
    'Abruf: Was {host} sendet, ist nicht lesbar. Prüfen Sie, ob es Live-Video in H.264 oder HEVC ist.',
  pull_not_readable_because:
    'Abruf: Was {host} sendet, ist nicht lesbar ({details}). Prüfen Sie, ob es Live-Video in H.264 oder HEVC ist.',
  pull_stopped_media: 'Abruf: {host} sendet nichts mehr. Prüfen Sie die Quelle.',
  pull_ended: 'Abruf: {host} hat den Stream beendet. Er wird wieder abgerufen, sobald die Quelle zurück ist.',
  pull_lost:
    'Abruf: Die Verbindung zu {host} ist abgebrochen. Der Stream wird wieder abgerufen, sobald die Quelle zurück ist.',
  pull_not_accepted: 'Abruf: Bild und Ton von {host} wurden nicht angenommen.',
  pull_not_accepted_because: 'Abruf: Bild und Ton von {host} wurden nicht angenommen: {reason}.',
  pull_interrupted:
    'Abruf: Der Abruf von {host} wurde auf diesem Server unterbrochen. Er beginnt automatisch neu.',
  pull_given_up:
    'Abruf: beendet, weil 24 Stunden lang weder Bild noch Ton kam. Starten Sie ihn wieder, wenn die Quelle live ist.',
  pull_switched_off: 'Dieser Server ruft keine Streams ab (PULL_STREAMS ist 0)',
  pull_restricted_key: 'Nicht für CORS-fähige API-Schlüssel mit eingeschränktem Zugriff',
  stream_without_pull: 'Der Stream hat keine Quelle für einen Abruf: Setzen Sie zuerst pull.source',
  session_not_pullable: 'Eine Session kann nicht abgerufen werden',
  pull_key_missing: '{key} muss im Body stehen',
  pull_key_not_unique: '{key} ist nicht eindeutig: Mehrere Streams haben diesen Wert',
  target_accepted_connection: '{host} hat die Verbindung angenommen.',
  target_accepted_key:
    '{host} hat den Stream-Schlüssel angenommen. Manche Dienste prüfen ihn noch einmal, wenn das Video ankommt.',
  target_host_not_public:
    '{host} hat keine öffentliche Adresse. Prüfen Sie den Hostnamen in der URL oder bitten Sie den Betreiber des Servers, die Adresse zuzulassen.',
  target_not_public:
    '{host} ist keine öffentliche Adresse, deshalb wird nichts dorthin gesendet. Verwenden Sie eine öffentliche Adresse oder bitten Sie den Betreiber des Servers, diese zuzulassen.',
  target_refused_connection:
    '{host} hat die Verbindung an Port {port} abgelehnt. Prüfen Sie den Port und ob der Dienst läuft.',
  target_silent:
    '{host} hat an Port {port} nicht rechtzeitig geantwortet. Prüfen Sie den Host, den Port und die Firewall des Dienstes.',
  target_no_tls:
    '{host} hat an Port {port} keine TLS-Verbindung angenommen. Prüfen Sie den Port oder verwenden Sie rtmp://, wenn der Dienst kein TLS hat.',
  target_no_tls_because:
    '{host} hat an Port {port} keine TLS-Verbindung angenommen ({details}). Prüfen Sie den Port oder verwenden Sie rtmp://, wenn der Dienst kein TLS hat.',
  target_no_https:
    '{host} hat auf Port {port} keine TLS-Verbindung angenommen. Prüfen Sie den Port und das Zertifikat des Dienstes.',
  target_no_https_because:
    '{host} hat auf Port {port} keine TLS-Verbindung angenommen ({details}). Prüfen Sie den Port und das Zertifikat des Dienstes.',
  target_not_whip:
    '{host} hat auf Port {port} geantwortet, aber nicht als WHIP-Endpunkt. Prüfen Sie die URL.',
  target_udp_blocked:
    '{host} hat das Angebot angenommen, aber keine Adresse der Antwort ist über UDP erreichbar. Prüfen Sie die Firewalls auf beiden Seiten.',
  target_webrtc_off:
    'Dieser Server sendet nichts über WebRTC, weil RTC_PORT nicht gesetzt ist. Bitten Sie den Betreiber, ihn zu setzen.',
  target_b_frames:
    'WHIP-Ziele akzeptieren keine B-Frames. Stellen Sie B-Frames im Encoder auf 0, oder fügen Sie dem Stream ein Profil hinzu.',
  target_codec_refused: '{host} nimmt über WebRTC kein H.264 mit Opus. Verwenden Sie ein anderes Ziel.',
  target_rejected_token:
    '{host} hat das Bearer-Token abgelehnt ({details}). Kopieren Sie das Token erneut, und setzen Sie es in der URL hinter #.',
  target_no_endpoint:
    '{host} hat unter dieser URL keinen Stream ({details}). Kopieren Sie die URL erneut, und prüfen Sie, dass das Event dort nicht beendet ist.',
  target_endpoint_failed:
    '{host} kann den Stream gerade nicht annehmen ({details}). Es wird automatisch erneut versucht.',
  target_not_rtmp:
    '{host} hat an Port {port} geantwortet, aber nicht als RTMP-Server. Prüfen Sie den Port und ob die URL mit rtmps:// beginnen muss.',
  target_rejected_stream:
    '{host} hat den Stream abgewiesen. Kopieren Sie den Stream-Schlüssel noch einmal und prüfen Sie, dass kein anderer Encoder ihn verwendet.',
  target_rejected_stream_because:
    '{host} hat den Stream abgewiesen ({details}). Kopieren Sie den Stream-Schlüssel noch einmal und prüfen Sie, dass kein anderer Encoder ihn verwendet.',
  target_is_own_ingest:
    '{host} ist die Adresse, an der dieser Dienst Streams empfängt. Der Stream liefe im Kreis. Verwenden Sie die Adresse eines anderen Dienstes.',
  target_takes_no_video:
    '{host} hat die Verbindung angenommen, nimmt aber kein Video an. Prüfen Sie den Stream-Schlüssel und ob die Veranstaltung dort begonnen hat.',
  target_stopped_video:
    '{host} nimmt kein Video mehr an. Prüfen Sie auf der Seite des Dienstes den Zustand des Streams: Der Dienst kann überlastet sein oder die Veranstaltung beendet haben.',
  target_closed_connection:
    '{host} hat die Verbindung geschlossen. Prüfen Sie, ob die Veranstaltung dort beendet ist und dass kein anderer Encoder den Stream-Schlüssel verwendet.',
  target_connection_lost:
    'Die Verbindung zu {host} ging verloren. Prüfen Sie den Zustand des Dienstes und des Netzes.',
  target_connection_lost_because:
    'Die Verbindung zu {host} ging verloren ({details}). Prüfen Sie den Zustand des Dienstes und des Netzes.',
  target_push_interrupted:
    'Das Senden an {host} wurde auf diesem Server unterbrochen. Es beginnt automatisch neu.',
  target_url_unusable: 'Die URL kann nicht verwendet werden. Ersetzen Sie sie.',
  target_url_unusable_because: 'Die URL kann nicht verwendet werden ({details}). Ersetzen Sie sie.',
  recording_files_not_made_earlier: 'Die Dateien der Aufnahme konnten nicht erstellt werden.',
  recording_nothing_stored_earlier: 'Von der Aufnahme wurde nichts gespeichert.',
  recording_no_room_earlier: 'Für die MP4-Datei der Aufnahme ist kein Speicherplatz frei.',
  recording_mp4_incomplete_earlier: 'Die MP4-Datei der Aufnahme wurde nicht vollständig gespeichert.',
  target_loops: 'Das ist die Adresse, an der dieser Dienst Streams empfängt. Der Stream liefe im Kreis',
  target_takes_no_media: 'Das Ziel nimmt die Verbindung an, aber kein Video',
  target_stopped_accepting: 'Das Ziel nimmt kein Video mehr an',
  target_refused_stream: 'Das Ziel hat den Stream abgelehnt: {details}',
  target_closed: 'Das Ziel hat die Verbindung geschlossen',
  target_lost: 'Die Verbindung zum Ziel ging verloren ({details})',
  stream_not_sent_because: 'Der Stream konnte nicht gesendet werden: {details}',
  stream_not_sent: 'Der Stream konnte nicht gesendet werden',
  target_codec:
    'Der Encoder sendet {codec}, Ziele brauchen H.264: Fügen Sie dem Stream eine Qualitätsstufe hinzu',
  rendition_not_running: 'Die Qualitätsstufe „{name}“ läuft nicht',
};
