import type { viewing as english } from '@/lib/core/reasons/messages/viewing';

export const viewing: Readonly<Record<keyof typeof english, string>> = {
  nothing_to_play: 'Unter {id} gibt es nichts abzuspielen',
  no_stream_for: 'Unter {id} gibt es keinen Stream',
  no_password_needed: 'Die Wiedergabe braucht hier kein Passwort',
  not_ready_for_playback: 'Das Asset kann noch nicht abgespielt werden',
  viewers_cannot_clip: 'Zuschauer können hiervon keine Clips erstellen',
  too_many_viewer_clips: 'Es werden gerade zu viele Clips erstellt. Versuchen Sie es bald noch einmal',
  too_many_viewer_clips_today:
    'Zuschauer haben in den letzten 24 Stunden zu viele Clips erstellt. Versuchen Sie es später noch einmal',
  clips_not_possible_now: 'Hiervon können gerade keine Clips erstellt werden',
  clip_after_end: 'liegt hinter dem Ende dessen, was als Clip möglich ist',
  clip_end_before_start: 'muss nach startTime liegen',
  clip_before_beginning: 'liegt vor dem Anfang dessen, was als Clip möglich ist',
  clip_in_future: 'liegt in der Zukunft',
  clip_too_short: 'Ein Clip dauert mindestens {limit} Sekunde',
  clip_too_long: 'Ein Clip dauert höchstens {limit}',
  clip_end_required: 'ist erforderlich: Ein Clip dauert höchstens {limit}',
  clip_source_unknown: 'Kein Stream und kein Asset dieses Teams hat diese playbackId',
  clip_nothing_recorded:
    'Zu dieser Zeit wurde nichts aufgenommen. Clips brauchen einen Stream, der aufgenommen wird',
  clip_session_not_recorded: 'Diese Session hat keine Aufnahme',
  clip_session_unknown: 'Keine Session dieses Streams hat diese sessionId',
  too_many_clips:
    'Höchstens {limit} Clips können gleichzeitig erstellt werden. Versuchen Sie es noch einmal, sobald einer bereit ist',
  is_required: 'ist erforderlich',
  must_not_be_empty: 'darf nicht leer sein',
  wrong: 'ist falsch',
  not_found: 'Nicht gefunden',
  request_failed: 'Die Anfrage ist mit Status {status} fehlgeschlagen',
  internal_error: 'Auf dem Server ist ein Fehler aufgetreten, siehe Anfrage {request}',
  account_suspended: 'Das Konto ist gesperrt',
  database_not_responding: 'Die Datenbank antwortet nicht. Versuchen Sie es noch einmal',
  too_many_requests: 'Zu viele Anfragen. Versuchen Sie es in {seconds} s noch einmal',
  too_many_requests_from_address:
    'Zu viele Anfragen von dieser Adresse. Versuchen Sie es in {seconds} s noch einmal',
  too_many_attempts_from_address:
    'Zu viele Versuche von dieser Adresse. Versuchen Sie es in {seconds} s noch einmal',
  too_many_clips_from_address:
    'Zu viele Clips von dieser Adresse. Versuchen Sie es in {seconds} s noch einmal',
  too_many_reports_from_address:
    'Zu viele Wiedergabeberichte von dieser Adresse. Versuchen Sie es in {seconds} s noch einmal',
  too_many_reports_of_team: 'Zu viele Wiedergabeberichte dieses Teams. Versuchen Sie es später noch einmal',
  no_report_of_view: 'Das ist kein Bericht über eine Wiedergabe',
  too_many_passwords: 'Zu viele Versuche mit einem Passwort. Versuchen Sie es in {seconds} s noch einmal',
  server_not_responding: 'Der Server antwortet nicht.',
  server_not_responding_retry: 'Der Server antwortet nicht. Versuchen Sie es noch einmal.',
  server_not_responding_unchanged:
    'Der Server antwortet nicht. Es wurde nichts geändert. Versuchen Sie es später noch einmal.',
  server_too_slow:
    'Der Server hat nicht rechtzeitig geantwortet. Prüfen Sie, ob die Änderung erfolgt ist, bevor Sie es noch einmal versuchen.',
  server_unreachable: 'Der Server ist nicht erreichbar. Prüfen Sie Ihre Verbindung.',
  request_refused: 'Der Server hat die Anfrage abgelehnt (Status {status})',
};
