// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {OrderRequest, TimeInForce} from "../../src/interfaces/IBook.sol";
import {IMarkets} from "../../src/interfaces/IMarkets.sol";
import {IOwned} from "../../src/interfaces/IOwned.sol";
import {PerpParameters} from "../../src/interfaces/IPerps.sol";
import {GovernanceSetup} from "./GovernanceSetup.sol";

/// Tests the limits of owner and guardian: calls each of their functions in turn with the worst
/// arguments. After each, balances are unchanged and everyone can still withdraw.
contract NeverTest is GovernanceSetup {
    address private constant DAVE = address(0xDA); // has no position
    uint64 private constant HELD = 1000;
    uint64 private constant CLOSED = 20; // at each look; worth 40

    uint40[] private _spotOrders;
    uint40[] private _perpOrders;
    uint40 private dave;

    function setUp() public override {
        super.setUp();
        _deposit(DAVE, DEPOSIT);
        dave = accounts.accountOf(DAVE);
        _trade(ALICE, BOB, TICK, HELD);
        _bid(CAROL, TICK - 10, HELD); // liquidity for a reduce-only order of ALICE
        usdc.mint(DAVE, 1_000_000e6);
        vm.startPrank(DAVE);
        usdc.approve(address(spot), type(uint256).max);
        spot.deposit(address(usdc), 1_000_000e6);
        for (uint24 i = 0; i < 40; i++) {
            OrderRequest memory request = _gtc(true, TICK - 1000 - i, 10);
            _perpOrders.push(perps.place(request));
            request.market = spotMarket;
            _spotOrders.push(spot.place(request));
        }
        vm.stopPrank();
    }

    function test_owner_and_guardian_move_no_funds_and_lock_nobody_in() public {
        (address[] memory targets, bytes[] memory calls) = _worstCalls();
        _expectExits();
        for (uint256 i = 0; i < calls.length; i++) {
            bytes32 before = _funds();
            vm.prank(address(governance));
            (bool done, bytes memory reason) = targets[i].call(calls[i]);
            if (!done) {
                assembly {
                    revert(add(reason, 0x20), mload(reason))
                }
            }
            vm.assertEq(_funds(), before, "no balance moves");
            _pass(11); // beyond the lowest index age
            _expectExits();
        }
    }

    function test_the_guardian_moves_no_funds_and_locks_nobody_in() public {
        PerpParameters memory least = _parameters();
        (least.maxNotionalValue, least.maxOpenInterest) = (0, 0);
        least.maxOrderValue = least.minOrderValue;
        bytes32 before = _funds();
        vm.startPrank(GUARDIAN);
        perps.halt(market, true);
        perps.tighten(market, least);
        perps.setOutflowLimit(address(usdc), 1000, 0);
        perps.setDepositCap(address(usdc), 0, 0);
        spot.halt(spotMarket, true);
        spot.setOutflowLimit(address(usdc), 1000, 0);
        spot.setDepositCap(address(usdc), 0, 0);
        oracle.pause("ETH", true);
        vm.stopPrank();
        vm.assertEq(_funds(), before);
        _expectExits();
        _pass(1 days);
        _expectExits();
    }

    /// A hash of all balances and positions.
    function _funds() private view returns (bytes32) {
        int256[6] memory collateral;
        for (uint40 account = 1; account <= 6; account++) {
            collateral[account - 1] = perps.holdingOf(account).collateral;
        }
        return keccak256(
            abi.encode(
                collateral,
                _position(alice),
                _position(bob),
                spot.balanceOf(dave, address(usdc)),
                usdc.balanceOf(address(perps)),
                usdc.balanceOf(address(spot)),
                usdc.balanceOf(DAVE)
            )
        );
    }

    /// Cancels, withdrawals and reduce-only orders, one of each.
    function _expectExits() private {
        uint40 perpOrder = _perpOrders[_perpOrders.length - 1];
        uint40 spotOrder = _spotOrders[_spotOrders.length - 1];
        (uint256 sent, uint256 free) = (usdc.balanceOf(DAVE), spot.balanceOf(dave, address(usdc)));
        vm.startPrank(DAVE);
        perps.cancel(market, perpOrder);
        spot.cancel(spotMarket, spotOrder);
        perps.withdraw(address(usdc), 1e6, DAVE);
        spot.withdraw(address(usdc), 1e6, DAVE);
        vm.stopPrank();
        _perpOrders.pop();
        _spotOrders.pop();
        vm.assertEq(uint256(_lotsOf(perpOrder)), 0);
        vm.assertGt(spot.balanceOf(dave, address(usdc)), free - 1e6, "the escrow is free");
        vm.assertEq(usdc.balanceOf(DAVE), sent + 2e6);
        int64 lots = _position(alice).lots;
        _place(ALICE, _order(false, TICK - 10, CLOSED, TimeInForce.IOC, true));
        vm.assertEq(
            int256(_position(alice).lots), lots - int64(CLOSED), "a reduce-only order fills"
        );
    }

    /// Every function of owner and guardian with its most harmful arguments, applied cumulatively.
    function _worstCalls() private view returns (address[] memory targets, bytes[] memory calls) {
        PerpParameters memory worst;
        worst.maxLeverage = 1;
        worst.minOrderValue = worst.maxOrderValue = 10e18;
        (worst.makerFee, worst.takerFee) = (10_000, 10_000);
        PerpParameters memory tightest = worst;
        (tightest.maxNotionalValue, tightest.maxOpenInterest) = (0, 0);
        calls = new bytes[](26);
        targets = new address[](26);
        calls[0] = abi.encodeCall(IMarkets.halt, (market, true));
        calls[1] = abi.encodeCall(perps.change, (market, worst));
        calls[2] = abi.encodeCall(perps.tighten, (market, worst));
        calls[3] = abi.encodeCall(perps.setImpactValue, (market, 4_000e18));
        calls[4] = abi.encodeCall(perps.setIndexAgeMax, (market, 10));
        calls[5] = abi.encodeCall(perps.setGuardian, (address(governance)));
        calls[6] = abi.encodeCall(perps.setOutflowLimit, (address(usdc), 1000, 0));
        calls[7] = abi.encodeCall(spot.setGuardian, (address(governance)));
        calls[8] = abi.encodeCall(perps.list, ("JUNK-PERP", "JUNK", 1e16, 1e15, 1_000e18, worst));
        for (uint256 i = 0; i < 9; i++) {
            targets[i] = address(perps);
        }
        calls[9] = abi.encodeCall(IMarkets.halt, (spotMarket, true));
        calls[10] = abi.encodeCall(spot.change, (spotMarket, VALUE_HIGHEST, VALUE_HIGHEST));
        calls[11] = abi.encodeCall(spot.setOutflowLimit, (address(usdc), 1000, 0));
        calls[12] = abi.encodeCall(spot.setGuardian, (address(governance)));
        calls[13] = abi.encodeCall(
            spot.list,
            ("USDC-ETH", address(usdc), address(eth), 1e4, 1e14, VALUE_HIGHEST, VALUE_HIGHEST)
        );
        for (uint256 i = 9; i < 14; i++) {
            targets[i] = address(spot);
        }
        calls[14] = abi.encodeCall(oracle.setPusher, (address(0)));
        calls[15] = abi.encodeCall(oracle.setSource, ("ETH", address(1)));
        calls[16] = abi.encodeCall(oracle.setGuardian, (address(0)));
        calls[17] = abi.encodeCall(oracle.pause, ("ETH", true));
        calls[18] = abi.encodeCall(oracle.pause, ("ETH", false));
        for (uint256 i = 14; i < 19; i++) {
            targets[i] = address(oracle);
        }
        address[3] memory owned = [address(oracle), address(spot), address(perps)];
        for (uint256 i = 0; i < 3; i++) {
            (targets[19 + i], calls[19 + i]) =
            (owned[i], abi.encodeCall(IOwned.offerOwnership, (address(1))));
        }
        (targets[22], calls[22]) =
        (address(perps), abi.encodeCall(perps.change, (market, tightest)));
        (targets[23], calls[23]) =
        (address(perps), abi.encodeCall(perps.tighten, (market, tightest)));
        (targets[24], targets[25]) = (address(perps), address(spot));
        calls[24] = calls[25] = abi.encodeCall(perps.setDepositCap, (address(usdc), 0, 0));
    }
}
