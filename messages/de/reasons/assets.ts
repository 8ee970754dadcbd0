import type { assets as english } from '@/lib/core/reasons/messages/assets';

export const assets: Readonly<Record<keyof typeof english, string>> = {
  asset_not_ready_to_be: 'Das Asset ist dafür noch nicht bereit: Es ist im Zustand „{phase}“',
  chapters_or_file: 'Senden Sie entweder chapters oder chaptersFile',
  poster_without_video: 'Das Asset hat noch kein Video oder nur Ton',
  poster_after_end: 'muss vor dem Ende des Videos liegen, das {seconds} s lang ist',
  chapters_too_few: 'muss mindestens zwei Einträge mit Text haben, die innerhalb des Videos beginnen',
  deleted_before_ready: 'Gelöscht, bevor es bereit war',
  task_already:
    'Die Aufgabe ist bereits {phase, select, completed {abgeschlossen} failed {fehlgeschlagen} cancelled {abgebrochen} other {{phase}}}',
  too_many_tasks:
    'Das Team {team} hat die Höchstzahl ausstehender Aufgaben erreicht: {count, number} warten auf einen Worker oder auf den Rest ihrer Datei, und {limit, number} sind möglich. Versuchen Sie es noch einmal, wenn einige beendet sind, oder brechen Sie sie ab: Sie stehen auf der Seite „Aufgaben“ und in GET /api/task.',
  too_many_tasks_of_browser_keys:
    'Das Team {team} hat die Höchstzahl ausstehender Aufgaben für einen Browser-Schlüssel erreicht: {count, number} warten auf einen Worker oder auf den Rest ihrer Datei, und {limit, number} sind möglich. Versuchen Sie es noch einmal, wenn einige beendet sind, oder brechen Sie sie ab: Sie stehen auf der Seite „Aufgaben“ und in GET /api/task.',
  too_many_unsent_uploads:
    'Uploads: {count, number}, die im Dashboard angefordert wurden, warten auf ihre Datei, und {limit, number} sind möglich. Senden Sie die Dateien oder löschen Sie die Assets: Sie stehen auf der Seite „Assets“ und in GET /api/asset mit der Phase „waiting“. Solche ganz ohne Bytes laufen nach einer Stunde ab.',
  too_many_unsent_uploads_of_key:
    'Uploads: {count, number}, die mit dem API-Schlüssel {key} angefordert wurden, warten auf ihre Datei, und {limit, number} sind möglich. Senden Sie die Dateien oder löschen Sie die Assets: Sie stehen auf der Seite „Assets“ und in GET /api/asset mit der Phase „waiting“. Solche ganz ohne Bytes laufen nach einer Stunde ab.',
  task_not_retriable:
    'Die Aufgabe ist {phase, select, completed {abgeschlossen} running {in Arbeit} waiting {in der Warteschlange} pending {noch ohne Datei} other {{phase}}}. Nur eine fehlgeschlagene oder abgebrochene kann wiederholt werden',
  task_given_up:
    'Dieser Server konnte die Aufgabe nicht innerhalb von {hours} Stunden abschließen ({reason}). Wiederholen Sie die Aufgabe',
  task_elsewhere: 'Die Aufgabe wurde abgebrochen oder läuft an anderer Stelle weiter',
  task_goes_on_elsewhere: 'Die Aufgabe läuft an anderer Stelle weiter',
  worker_stopped: 'Der Prozess, der daran arbeitete, wurde mittendrin beendet',
  task_cancelled: 'Abgebrochen',
  recording_keeps_file:
    'Das Asset ist die Aufnahme einer Session und behält seine Datei. Laden Sie die andere Datei als neues Asset hoch',
  replacement_in_progress:
    'Die Datei dieses Assets wird gerade ausgetauscht. Warten Sie, bis die Aufgabe endet, oder brechen Sie sie ab',
  output_deleted: 'Das Asset, das sie erzeugen sollte, wurde gelöscht',
  output_is: 'Das Asset, das sie erzeugen sollte, ist im Zustand „{phase}“',
  output_changing: 'Das Asset, das sie erzeugen sollte, wird gerade geändert',
  no_file_received: 'Es kam keine Datei an. Laden Sie die Datei noch einmal hoch',
  uploaded_file_gone: 'Die hochgeladene Datei ist nicht mehr vorhanden',
  recorded_media_gone: 'Das aufgenommene Material ist nicht mehr vorhanden',
  input_deleted: 'Das Asset, von dem sie ausgeht, wurde gelöscht',
  export_in_progress: 'Derselbe Export läuft bereits',
  asset_in_path: 'Entfernen Sie es aus dem Body. Der Pfad nennt das Asset',
  ipfs_limited:
    'Auf IPFS kann jeder Dateien lesen, aber die Wiedergaberichtlinie dieses Assets schränkt ein, wer zusehen darf. Machen Sie es zuerst öffentlich',
  ipfs_limited_now:
    'Auf IPFS kann jeder Dateien lesen, aber die Wiedergaberichtlinie dieses Assets schränkt ein, wer zusehen darf',
  text_server_answered: 'Der Server antwortete mit Status {status}',
  text_too_long: 'Die Datei darf höchstens {limit, number} Zeichen haben',
  text_not_utf8: 'Die Datei muss Text in UTF-8 sein',
  webvtt_too_long: 'ist als WebVTT zu lang',
  no_cues: 'enthält keine Untertitel. Senden Sie eine Datei im Format WebVTT oder SubRip in UTF-8',
  cue_times: 'Zeile {line}: Hier müssen Zeiten stehen wie 00:01:02.500 --> 00:01:04.000',
  cue_ends_early: 'Zeile {line}: Das Ende muss nach dem Anfang liegen',
  too_many_cues: 'enthält mehr als {limit, number} Untertitel',
  too_many_tracks: 'Ein Asset kann höchstens {limit} Spuren haben',
  track_label_taken: 'Eine andere Spur dieses Assets hat diese Bezeichnung',
  no_audio_for_speech: 'Das Asset hat keinen Ton, also gibt es keine Sprache zu erkennen',
  already_transcribing: 'Untertitel in {language} werden bereits erzeugt',
  no_speech_model:
    'Dieser Server erkennt keine Sprache. Sein Betreiber muss STT_MODEL_DIR auf den Ordner eines Modells zur Spracherkennung setzen',
  no_speech_found: 'In diesem Asset wurde keine Sprache gefunden',
  subtitles_too_many: 'Die Untertitel haben mehr als {limit, number} Zeilen',
  subtitles_too_long: 'Die Untertitel sind zu lang',
  asset_deleted: 'Das Asset wurde gelöscht',
  upload_expired: 'Der Upload ist abgelaufen: Es kam keine Datei an, solange die URL gültig war',
  upload_taken_over: 'Ein anderer Upload dieses Assets hat übernommen',
  upload_in_progress:
    'Ein anderer Upload dieses Assets läuft. Versuchen Sie es noch einmal, wenn er beendet ist',
  upload_failed: 'Dieser Upload ist fehlgeschlagen: {reason}',
  already_uploaded: 'Das Asset wurde bereits hochgeladen',
  no_upload_address: 'Der Server hat keine Adresse für den Upload genannt',
  no_disk_space: 'Für diese Datei ist nicht genug Speicherplatz frei.',
  upload_url_not_valid: 'Diese Upload-URL ist ungültig oder abgelaufen. Beginnen Sie den Upload noch einmal.',
  upload_unavailable: 'Der Upload ist vorübergehend nicht möglich. Versuchen Sie es noch einmal.',
  upload_stalled: 'Der Upload kam nicht voran. Senden Sie die ganze Datei noch einmal an dieselbe URL.',
  upload_ended_early: 'Der Upload endete vorzeitig. Senden Sie die ganze Datei noch einmal an dieselbe URL.',
  upload_not_stored: 'Die Datei konnte nicht gespeichert werden. Senden Sie sie noch einmal an dieselbe URL.',
  upload_too_large: 'Die Datei ist zu groß. Höchstens {limit, number} Bytes sind möglich.',
  upload_not_processed:
    'Die Datei ist angekommen, konnte aber gerade nicht verarbeitet werden. Sie bleibt erhalten und wird automatisch verarbeitet. Sie können sie auch noch einmal hochladen.',
  logo_not_stored: 'Das Logo konnte nicht gespeichert werden. Senden Sie es noch einmal.',
  logo_format: 'Das Logo muss ein Bild im Format PNG, JPEG oder WebP sein.',
  slate_picture_not_stored: 'Das Standbild konnte nicht gespeichert werden. Senden Sie es noch einmal.',
  slate_picture_format: 'Das Standbild muss ein Bild im Format PNG, JPEG oder WebP sein.',
  logo_damaged: 'Das Bild ist beschädigt, animiert oder zu groß. Versuchen Sie es mit einem kleineren PNG.',
  no_recording_of_link: 'ist keine Zuschauerseite dieses Dienstes',
};
