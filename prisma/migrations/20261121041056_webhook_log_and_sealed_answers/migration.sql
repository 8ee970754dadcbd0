-- The log is filtered by status and by the object an event tells of; an attempt may wait to be sent.
ALTER TABLE "WebhookAttempt" RENAME COLUMN "streamId" TO "resourceId";
ALTER TABLE "WebhookAttempt" ADD COLUMN "statusCode" INTEGER;
ALTER TABLE "WebhookAttempt" ALTER COLUMN "request" DROP NOT NULL;
CREATE UNIQUE INDEX "WebhookAttempt_deliveryId_attempt_key" ON "WebhookAttempt"("deliveryId", "attempt");

-- Answers hold stream keys and API keys: they are kept sealed.
ALTER TABLE "IdempotentRequest" DROP COLUMN "body";
ALTER TABLE "IdempotentRequest" ADD COLUMN "bodySealed" BYTEA;
