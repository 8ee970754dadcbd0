-- CreateTable
CREATE TABLE "DeliveredDay" (
    "userId" UUID NOT NULL,
    "day" DATE NOT NULL,
    "objectId" UUID NOT NULL,
    "nodeId" UUID NOT NULL,
    "bytes" BIGINT NOT NULL,
    "seconds" DOUBLE PRECISION NOT NULL,
    "batch" INTEGER NOT NULL,

    CONSTRAINT "DeliveredDay_pkey" PRIMARY KEY ("userId","day","objectId","nodeId")
);

-- CreateIndex
CREATE INDEX "DeliveredDay_day_idx" ON "DeliveredDay"("day");

-- AddForeignKey
ALTER TABLE "DeliveredDay" ADD CONSTRAINT "DeliveredDay_userId_fkey" FOREIGN KEY ("userId") REFERENCES "Account"("id") ON DELETE CASCADE ON UPDATE CASCADE;
