-- CreateTable
CREATE TABLE "EndedBrowserSession" (
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "endsAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "EndedBrowserSession_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "EndedBrowserSession_endsAt_idx" ON "EndedBrowserSession"("endsAt");

-- CreateIndex
CREATE INDEX "EndedBrowserSession_userId_idx" ON "EndedBrowserSession"("userId");

-- AddForeignKey
ALTER TABLE "EndedBrowserSession" ADD CONSTRAINT "EndedBrowserSession_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
