-- Recordings found while their session ended were never finished: they are due now.
UPDATE "Session" SET "recording" = 'processing', "recordingDueAt" = NULL
WHERE "state" = 'ended' AND "recording" IN ('recording', 'waiting');
