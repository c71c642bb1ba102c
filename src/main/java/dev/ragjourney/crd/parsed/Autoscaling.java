package dev.ragjourney.crd.parsed;

/**
 * A HorizontalPodAutoscaler.
 *
 * @param minReplicas the fewest pods
 * @param maxReplicas the most
 * @param cpuPercent of the container's request that the autoscaler aims at
 */
public record Autoscaling(int minReplicas, int maxReplicas, int cpuPercent) {}
