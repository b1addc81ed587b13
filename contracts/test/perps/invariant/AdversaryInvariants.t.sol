// SPDX-License-Identifier: MIT
pragma solidity ^0.8.28;

import {Accounts} from "../../../src/Accounts.sol";
import {PushOracle} from "../../../src/PushOracle.sol";
import {DevToken} from "../../../src/dev/DevToken.sol";
import {IPerps, PerpParameters} from "../../../src/interfaces/IPerps.sol";
import {Campaign} from "../../invariant/Campaign.sol";
import {PerpsDeploy} from "../PerpsDeploy.sol";
import {AdversaryHandler} from "./AdversaryHandler.sol";

/// Lets an adversary with several accounts batch calls among honest makers, traders, arbitrageurs
/// and a keeper. AdversaryStrikes and AdversaryBooks check the invariants after each of his
/// strikes.
contract AdversaryInvariantsTest is Campaign, PerpsDeploy {
    AdversaryHandler private handler;

    function setUp() external {
        vm.warp(1_750_000_000);
        (address owner, address pusher) = (address(0xA11), address(0xFEED));
        address accounts = vm.deployCode(
            "out/shipped/Accounts.sol/Accounts.json",
            abi.encode(vm.addr(0x1115), vm.addr(0xFEE5), "openvenue")
        );
        address oracle =
            vm.deployCode("out/shipped/PushOracle.sol/PushOracle.json", abi.encode(owner, pusher));
        DevToken usdc = new DevToken("USD Coin", "USDC", 6);
        IPerps perps = _deployPerps(Accounts(accounts), PushOracle(oracle), address(usdc), owner);
        PerpParameters memory parameters = PerpParameters({
            minOrderValue: 10e18,
            maxOrderValue: 1_000_000e18,
            maxNotionalValue: 10_000_000e18,
            maxOpenInterest: 50_000_000,
            maxLeverage: 20,
            makerFee: -50,
            takerFee: 350
        });
        vm.startPrank(owner);
        perps.list("ETH-PERP", "ETH", 1e16, 1e15, 1_000e18, parameters);
        perps.list("BTC-PERP", "BTC", 1e17, 1e14, 1_000e18, parameters);
        vm.stopPrank();
        handler = new AdversaryHandler(Accounts(accounts), PushOracle(oracle), perps, usdc, pusher);
        _start(address(handler), _selectors());
    }

    function _selectors() private view returns (bytes4[] memory selectors) {
        selectors = new bytes4[](12);
        selectors[0] = handler.strike.selector;
        selectors[1] = handler.strike.selector;
        selectors[2] = handler.strike.selector;
        selectors[3] = handler.strike.selector;
        selectors[4] = handler.lean.selector;
        selectors[5] = handler.lean.selector;
        selectors[6] = handler.arbitrage.selector;
        selectors[7] = handler.keep.selector;
        selectors[8] = handler.move.selector;
        selectors[9] = handler.wait_.selector;
        selectors[10] = handler.wait_.selector;
        selectors[11] = handler.fund.selector;
    }

    /// A campaign that meets nothing shows nothing.
    function test_the_random_traders_and_an_adversary_reach_every_corner() external {
        string[] memory corners = new string[](8);
        corners[0] = "quoted";
        corners[1] = "filled";
        corners[2] = "filled with others";
        corners[3] = "strike";
        corners[4] = "cornered";
        corners[5] = "all in one";
        corners[6] = "poked by the keeper";
        corners[7] = "leant on";
        string[] memory rare = new string[](3);
        rare[0] = "liquidated";
        rare[1] = "in a forced order";
        rare[2] = "liquidated by the keeper";
        _runRandomCalls(corners, rare);
    }
}
