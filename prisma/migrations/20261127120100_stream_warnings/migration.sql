-- AlterTable
ALTER TABLE "Stream" ADD COLUMN     "healthChangedAt" TIMESTAMPTZ(3),
ADD COLUMN     "warnedAt" TIMESTAMPTZ(3),
ADD COLUMN     "warningMailedAt" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "TeamMember" ADD COLUMN     "streamMails" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "OutgoingMail" (
    "id" UUID NOT NULL,
    "to" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "failures" INTEGER NOT NULL DEFAULT 0,
    "dueAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "OutgoingMail_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "OutgoingMail_dueAt_idx" ON "OutgoingMail"("dueAt");
