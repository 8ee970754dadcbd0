-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "creatorId" JSONB,
ADD COLUMN     "playbackPolicy" JSONB,
ADD COLUMN     "recordingSpec" JSONB,
ADD COLUMN     "userTags" JSONB;

-- CreateTable
CREATE TABLE "MultistreamTarget" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "urlSealed" BYTEA NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "MultistreamTarget_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "StreamTarget" (
    "streamId" UUID NOT NULL,
    "targetId" UUID NOT NULL,
    "profile" TEXT NOT NULL,
    "videoOnly" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,

    CONSTRAINT "StreamTarget_pkey" PRIMARY KEY ("streamId","targetId","profile")
);

-- CreateTable
CREATE TABLE "Asset" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "playbackId" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'waiting',
    "statusUpdatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "progress" DOUBLE PRECISION,
    "errorMessage" TEXT,
    "sourceType" TEXT NOT NULL,
    "sourceUrl" TEXT,
    "sourceSessionId" UUID,
    "sourceAssetId" UUID,
    "size" BIGINT,
    "hash" JSONB,
    "videoSpec" JSONB,
    "storage" JSONB,
    "cid" TEXT,
    "nftMetadataCid" TEXT,
    "creatorId" JSONB,
    "playbackPolicy" JSONB,
    "createdByKeyName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Asset_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Task" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "type" TEXT NOT NULL,
    "phase" TEXT NOT NULL DEFAULT 'pending',
    "statusUpdatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "progress" DOUBLE PRECISION,
    "errorMessage" TEXT,
    "retries" INTEGER NOT NULL DEFAULT 0,
    "params" JSONB NOT NULL,
    "credentialsSealed" BYTEA,
    "output" JSONB,
    "inputAssetId" UUID,
    "outputAssetId" UUID,
    "scheduledAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Task_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "Webhook" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "streamId" UUID,
    "secretSealed" BYTEA NOT NULL,
    "disabled" BOOLEAN NOT NULL DEFAULT false,
    "lastTriggered" TIMESTAMPTZ(3),
    "lastFailure" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deletedAt" TIMESTAMPTZ(3),

    CONSTRAINT "Webhook_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookDelivery" (
    "id" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "webhookId" UUID NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'pending',
    "attempt" INTEGER NOT NULL DEFAULT 0,
    "firstAt" TIMESTAMPTZ(3),
    "nextAt" TIMESTAMPTZ(3),
    "lockedUntil" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookDelivery_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "WebhookAttempt" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "webhookId" UUID NOT NULL,
    "deliveryId" UUID NOT NULL,
    "event" TEXT NOT NULL,
    "streamId" UUID,
    "attempt" INTEGER NOT NULL,
    "request" JSONB NOT NULL,
    "response" JSONB,
    "success" BOOLEAN NOT NULL DEFAULT false,
    "error" TEXT,
    "durationMs" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "WebhookAttempt_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "IdempotentRequest" (
    "userId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "fingerprint" BYTEA NOT NULL,
    "status" INTEGER,
    "headers" JSONB,
    "body" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "IdempotentRequest_pkey" PRIMARY KEY ("userId","key")
);

-- CreateIndex
CREATE INDEX "MultistreamTarget_userId_id_idx" ON "MultistreamTarget"("userId", "id");

-- CreateIndex
CREATE INDEX "StreamTarget_targetId_idx" ON "StreamTarget"("targetId");

-- CreateIndex
CREATE UNIQUE INDEX "Asset_playbackId_key" ON "Asset"("playbackId");

-- CreateIndex
CREATE INDEX "Asset_userId_statusUpdatedAt_createdAt_id_idx" ON "Asset"("userId", "statusUpdatedAt" DESC, "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Asset_userId_createdAt_id_idx" ON "Asset"("userId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Asset_userId_name_id_idx" ON "Asset"("userId", "name", "id");

-- CreateIndex
CREATE INDEX "Asset_sourceSessionId_idx" ON "Asset"("sourceSessionId");

-- CreateIndex
CREATE INDEX "Task_userId_createdAt_id_idx" ON "Task"("userId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "Task_phase_scheduledAt_idx" ON "Task"("phase", "scheduledAt");

-- CreateIndex
CREATE INDEX "Task_inputAssetId_idx" ON "Task"("inputAssetId");

-- CreateIndex
CREATE INDEX "Task_outputAssetId_idx" ON "Task"("outputAssetId");

-- CreateIndex
CREATE INDEX "Webhook_userId_id_idx" ON "Webhook"("userId", "id");

-- CreateIndex
CREATE INDEX "WebhookDelivery_state_nextAt_idx" ON "WebhookDelivery"("state", "nextAt");

-- CreateIndex
CREATE UNIQUE INDEX "WebhookDelivery_eventId_webhookId_key" ON "WebhookDelivery"("eventId", "webhookId");

-- CreateIndex
CREATE INDEX "WebhookAttempt_webhookId_createdAt_id_idx" ON "WebhookAttempt"("webhookId", "createdAt" DESC, "id");

-- CreateIndex
CREATE INDEX "WebhookAttempt_createdAt_idx" ON "WebhookAttempt"("createdAt");

-- CreateIndex
CREATE INDEX "IdempotentRequest_createdAt_idx" ON "IdempotentRequest"("createdAt");

-- CreateIndex
CREATE INDEX "Stream_userId_name_id_idx" ON "Stream"("userId", "name", "id");

-- CreateIndex
CREATE INDEX "Stream_parentId_idx" ON "Stream"("parentId");

-- AddForeignKey
ALTER TABLE "Stream" ADD CONSTRAINT "Stream_parentId_fkey" FOREIGN KEY ("parentId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "MultistreamTarget" ADD CONSTRAINT "MultistreamTarget_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "StreamTarget" ADD CONSTRAINT "StreamTarget_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "StreamTarget" ADD CONSTRAINT "StreamTarget_targetId_fkey" FOREIGN KEY ("targetId") REFERENCES "MultistreamTarget"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Asset" ADD CONSTRAINT "Asset_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_inputAssetId_fkey" FOREIGN KEY ("inputAssetId") REFERENCES "Asset"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Task" ADD CONSTRAINT "Task_outputAssetId_fkey" FOREIGN KEY ("outputAssetId") REFERENCES "Asset"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "Webhook" ADD CONSTRAINT "Webhook_streamId_fkey" FOREIGN KEY ("streamId") REFERENCES "Stream"("id") ON DELETE SET NULL ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_eventId_fkey" FOREIGN KEY ("eventId") REFERENCES "Event"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookDelivery" ADD CONSTRAINT "WebhookDelivery_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_webhookId_fkey" FOREIGN KEY ("webhookId") REFERENCES "Webhook"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "WebhookAttempt" ADD CONSTRAINT "WebhookAttempt_deliveryId_fkey" FOREIGN KEY ("deliveryId") REFERENCES "WebhookDelivery"("id") ON DELETE CASCADE ON UPDATE CASCADE;
