// Enforces NetworkPolicies on the node: kube-network-policies decides, and what it decides about is queued here.
//
// Its own rules need the queue expression of nftables, which not every kernel has, so these are iptables' in the chain
// that ./up makes. They name the pods that a policy selects and no others: who has no policy pays nothing. Every packet
// in a connection's own direction is asked about, not its first alone, so that a policy cuts connections that it finds.
package main

import (
	"context"
	"flag"
	"fmt"
	"log"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
	"k8s.io/client-go/informers"
	"k8s.io/client-go/kubernetes"
	corelisters "k8s.io/client-go/listers/core/v1"
	networkinglisters "k8s.io/client-go/listers/networking/v1"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
	"sigs.k8s.io/kube-network-policies/pkg/networkpolicy"
)

var (
	kubeconfig = flag.String("kubeconfig", "", "where the cluster is")
	node       = flag.String("node", "", "the node's name")
	chain      = flag.String("chain", "", "the chain of iptables' mangle table that is filled")
	queue      = flag.Int("queue", 100, "the number of the queue")
)

func main() {
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	config, err := clientcmd.BuildConfigFromFlags("", *kubeconfig)
	if err != nil {
		log.Fatal(err)
	}
	client := kubernetes.NewForConfigOrDie(config)
	shared := informers.NewSharedInformerFactory(client, 0)
	policies := shared.Networking().V1().NetworkPolicies()
	pods := shared.Core().V1().Pods()
	controller, err := networkpolicy.NewController(client, policies, shared.Core().V1().Namespaces(), pods, nil, nil, nil, nil,
		networkpolicy.Config{QueueID: *queue, NodeName: *node})
	if err != nil {
		log.Fatal(err)
	}
	changed := make(chan struct{}, 1)
	signalled := func() {
		select {
		case changed <- struct{}{}:
		default:
		}
	}
	handler := cache.ResourceEventHandlerFuncs{
		AddFunc:    func(any) { signalled() },
		UpdateFunc: func(any, any) { signalled() },
		DeleteFunc: func(any) { signalled() },
	}
	for _, informer := range []cache.SharedIndexInformer{policies.Informer(), pods.Informer()} {
		if _, err := informer.AddEventHandler(handler); err != nil {
			log.Fatal(err)
		}
	}
	go func() {
		if err := controller.Run(ctx); err != nil {
			log.Fatal(err)
		}
	}()
	shared.Start(ctx.Done())
	shared.WaitForCacheSync(ctx.Done())

	var current []string
	signalled()
	for {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			wanted := selected(policies.Lister(), pods.Lister())
			if slices.Equal(wanted, current) && current != nil {
				continue
			}
			if err := queued(wanted); err != nil {
				log.Fatal(err)
			}
			log.Printf("queued: %v", wanted)
			current = wanted
		}
	}
}

// The addresses of the pods that any policy selects, in order.
func selected(policies networkinglisters.NetworkPolicyLister, pods corelisters.PodLister) []string {
	addresses := []string{}
	all, err := policies.List(labels.Everything())
	if err != nil {
		log.Fatal(err)
	}
	for _, policy := range all {
		selector, err := metav1.LabelSelectorAsSelector(&policy.Spec.PodSelector)
		if err != nil {
			log.Fatal(err)
		}
		matching, err := pods.Pods(policy.Namespace).List(selector)
		if err != nil {
			log.Fatal(err)
		}
		for _, pod := range matching {
			over := pod.Status.Phase == corev1.PodSucceeded || pod.Status.Phase == corev1.PodFailed
			if pod.Status.PodIP != "" && !pod.Spec.HostNetwork && !over {
				addresses = append(addresses, pod.Status.PodIP)
			}
		}
	}
	slices.Sort(addresses)
	return slices.Compact(addresses)
}

// Replaces the chain's rules, all at once.
func queued(addresses []string) error {
	var rules strings.Builder
	fmt.Fprintf(&rules, "*mangle\n:%s - [0:0]\n", *chain)
	for _, address := range addresses {
		for _, side := range []string{"-s", "-d"} {
			fmt.Fprintf(&rules, "-A %s %s %s -m conntrack --ctdir ORIGINAL -j NFQUEUE --queue-num %d\n",
				*chain, side, address, *queue)
		}
	}
	rules.WriteString("COMMIT\n")
	restore := exec.Command("iptables-restore", "--wait", "--noflush")
	restore.Stdin = strings.NewReader(rules.String())
	if output, err := restore.CombinedOutput(); err != nil {
		return fmt.Errorf("%w: %s\n%s", err, output, rules.String())
	}
	return nil
}
